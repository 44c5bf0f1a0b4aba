import type { Mutant } from './mutant.ts';

const configFile = ['tests/cli/commands/config-file.test.ts'];
const options = ['tests/misuse/options.test.ts'];
const guards = ['tests/misuse/guards.test.ts'];
const database = ['tests/misuse/database.test.ts'];
const requests = ['tests/misuse/requests.test.ts'];

export default [
  {
    file: 'cli/load-config.ts',
    replace: "if (distrust !== null && mustBeTrusted) refuseDistrusted(file, distrust, '--config');",
    by: '',
    breaks: 'In production, a command runs a configuration file of another user',
    killedBy: configFile,
  },
  {
    file: 'cli/load-config.ts',
    replace: 'const mustBeTrusted = onlyTrusted || ',
    by: 'const mustBeTrusted = ',
    breaks: 'In development, `latchkey --help` runs a configuration file of another user',
    killedBy: configFile,
  },
  {
    file: 'cli/load-dotenv.ts',
    replace: 'onlyTrusted || isRoot()',
    by: 'isRoot()',
    breaks: 'In development, `latchkey --help` reads variables of another user',
    killedBy: configFile,
  },
  {
    file: 'cli/settings.ts',
    replace: 'if (file !== null && distrust !== null && isProduction(options))',
    by: 'if (false)',
    breaks: 'A command uses a configuration file of another user that says that this is production',
    killedBy: configFile,
  },
  {
    file: 'cli/trusted-file.ts',
    replace: 'for (const place of [path, dirname(path), dirname(realpathSync(dirname(file)))]) {',
    by: 'for (const place of [path]) {',
    breaks: 'Another user replaces the configuration file in a directory that every user can change',
    killedBy: configFile,
  },
  {
    file: 'cli/load-dotenv.ts',
    replace: 'if (!existsSync(implicit) || isProduction()) return null;',
    by: 'if (!existsSync(implicit)) return null;',
    breaks: 'A file in the working directory decides which database a command changes in production',
    killedBy: configFile,
  },
  {
    file: 'cli/load-dotenv.ts',
    replace: 'process.env[name] ??= value',
    by: 'process.env[name] = value',
    breaks: 'The file .env overrides environment variables',
    killedBy: configFile,
  },
  {
    file: 'cli/settings.ts',
    replace:
      'if (variables !== null && dotenv === undefined && isProduction(options)) throw implicitDotenv(variables);',
    by: '',
    breaks: 'A command uses .env although the configuration file is for production',
    killedBy: configFile,
  },
  {
    file: 'cli/catalogue.ts',
    replace: "['completion', 'secret', 'dev']",
    by: "['secret', 'dev']",
    breaks: 'A shell that loads completions runs the configuration file of any folder',
    killedBy: configFile,
  },
  {
    file: 'src/core/known-options.ts',
    replace: 'if (!isKnown) addUnknown(faults, name, optionNamed(name, names), names);',
    by: 'if (!isKnown) return;',
    breaks: 'A misspelled option is ignored',
    killedBy: options,
  },
  {
    file: 'src/authorization/access-arguments.ts',
    replace: 'if (roles.some((known) => known === role)) return;',
    by: 'if (role !== undefined) return;',
    breaks: 'A guard accepts a role that does not exist',
    killedBy: guards,
  },
  {
    file: 'src/authorization/access-arguments.ts',
    replace: 'if (names.some((known) => known === capability)) return;',
    by: 'if (capability !== undefined) return;',
    breaks: 'A guard accepts a capability that does not exist',
    killedBy: guards,
  },
  {
    file: 'src/db/explain-database.ts',
    replace: "if ('severity' in cause && cause.severity === 'FATAL')",
    by: 'if (false)',
    breaks: 'For a missing right to connect, the message names the right to create a schema',
    killedBy: database,
  },
  {
    file: 'src/http/read-body.ts',
    replace: 'if (!req.readableDidRead) return;',
    by: 'return;',
    breaks: 'A request whose body was already read waits until the time limit',
    killedBy: requests,
  },
  {
    file: 'src/core/places.ts',
    replace: 'if (unfinished >= bounds.unfinishedPlaces) {',
    by: 'if (unfinished < 0) {',
    breaks: 'The number of unfinished calls of `placeOf` has no limit',
    killedBy: ['tests/features/places.test.ts'],
  },
  {
    file: 'src/core/places.ts',
    replace: '    if (isLogged) return;\n',
    by: '',
    breaks: 'Each failure of `placeOf` is logged',
    killedBy: ['tests/features/places.test.ts'],
  },
  {
    file: 'src/core/places.ts',
    replace: 'report(`placeOf failed with ${nameOf(error)}`);',
    by: 'report(`placeOf failed with ${error}`);',
    breaks: "The log contains the addresses in the messages of the application's errors",
    killedBy: ['tests/features/places.test.ts'],
  },
  {
    file: 'src/core/field-set.ts',
    replace: 'names.some((name) => definitions.get(name)?.requiresFreshAuthentication)',
    by: 'names.every((name) => definitions.get(name)?.requiresFreshAuthentication)',
    breaks: 'A change of a protected field needs no fresh authentication if it also changes another field',
    killedBy: ['tests/features/own-fields-fresh.test.ts'],
  },
  {
    file: 'src/accounts/operations/update-profile.ts',
    replace: "...sessionChecks(runtime, actor, 'privileged'), obstacle",
    by: "...sessionChecks(runtime, actor, 'any'), obstacle",
    breaks: 'A password session changes a protected field while another session adds the first passkey',
    killedBy: ['tests/features/own-fields-fresh.test.ts'],
  },
] satisfies Mutant[];
