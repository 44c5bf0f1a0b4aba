import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readConfiguration } from 'latchkey';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { catalogue } from '../../../cli/catalogue.ts';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts';
import {
  commandsOn,
  commonEnv,
  jsonOn,
  limits,
  program,
  runCommand,
  temporaryFolders,
} from './support/command.ts';
import { bootstrapOn } from './support/superadmin.ts';

const newFolder = temporaryFolders();
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await bootstrapOn(database);
});
afterAll(() => database.drop());

/** Returns whether the program is installed. With CI=true, throws if it is not. */
function isInstalled(name: string): boolean {
  if (spawnSync('sh', ['-c', `command -v ${name}`]).status === 0) return true;
  if (process.env.CI === 'true') throw new Error(`CI needs ${name}: apt-get install ${name}`);
  process.stdout.write(`skipped the tests that need ${name}: it is not installed\n`);
  return false;
}

test('`latchkey secret` prints a new value each time, and production accepts each value as JWT_SECRET', async () => {
  const [first, second, { secret }] = await Promise.all([
    runCommand('secret'),
    runCommand('secret'),
    jsonOn(() => database)('secret'),
  ]);
  const secrets = [first.stdout.trim(), second.stdout.trim(), secret];
  expect(new Set(secrets).size).toBe(3);
  expect([first.exitCode, first.stderr, first.stdout]).toEqual([0, '', `${secrets[0]}\n`]);
  for (const each of secrets) {
    const env = {
      NODE_ENV: 'production',
      WEBAUTHN_RP_ID: 'example.com',
      WEBAUTHN_RP_ORIGIN: 'https://example.com',
    };
    const { secrets: read, warnings } = readConfiguration({ database: {}, secret: each, env });
    expect([read, warnings]).toEqual([[each], []]);
  }
});

test('`latchkey secret` does not load the service or the screens, and `latchkey users list` loads no screens', async () => {
  const hooks = `import { writeSync } from 'node:fs';
    export const load = (url, context, next) => { writeSync(2, 'loaded ' + url + '\\n'); return next(url, context); };`;
  const register = `import { register } from 'node:module'; register(${JSON.stringify(`data:text/javascript,${encodeURIComponent(hooks)}`)});`;
  const node = ['--import', `data:text/javascript,${encodeURIComponent(register)}`];
  const loadedBy = async (line: string) => {
    const { stderr } = await runCommand(line, { node, env: { DATABASE_URL: database.url } });
    return [...stderr.matchAll(/^loaded (file:.+)$/gm)].map(([, url]) => fileURLToPath(`${url}`));
  };
  const isReact = (file: string) => readFileSync(file, 'utf8').includes('react-reconciler');
  const folder = dirname(program);
  expect(readdirSync(folder).some((file) => isReact(join(folder, file)))).toBe(true);

  const forSecret = await loadedBy('secret');
  expect(forSecret).toContain(program);
  expect(forSecret.filter((file) => !file.includes('/dist/cli/'))).toEqual([]);
  expect(forSecret.filter(isReact)).toEqual([]);

  const forList = await loadedBy('users list');
  expect(forList.some((file) => file.includes('/dist/package/'))).toBe(true);
  expect(forList.filter((file) => file.includes('/dist/cli/')).filter(isReact)).toEqual([]);
});

describe('`latchkey completion`', () => {
  const scriptFor = async (shell: string) => {
    const file = join(newFolder(), 'completion');
    const { exitCode, stdout, stderr } = await runCommand(`completion ${shell}`);
    expect([exitCode, stderr]).toEqual([0, '']);
    writeFileSync(file, stdout);
    return file;
  };
  const firsts = [...new Set(catalogue.map(({ name }) => name.split(' ')[0]))];
  const secondsOf = (first: string) =>
    catalogue.filter(({ name }) => name.startsWith(`${first} `)).map(({ name }) => name.split(' ')[1]);

  test('for bash prints a script that completes the first word, the second word and options', async () => {
    const file = await scriptFor('bash');
    execFileSync('bash', ['-n', file]);
    const complete = (...words: string[]): string[] => {
      const script = `source ${file}; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _latchkey; printf '%s\\n' "\${COMPREPLY[@]}"`;
      return execFileSync('bash', ['-c', script, 'bash', 'latchkey', ...words], { encoding: 'utf8' })
        .split('\n')
        .filter(Boolean);
    };
    expect(complete('')).toEqual([...firsts, '--help', '--version']);
    expect(complete('inv')).toEqual(['invitations']);
    for (const group of ['users', 'invitations', 'audit', 'migrate'])
      expect(complete(group, '')).toEqual([...secondsOf(group), '--config', '--dotenv', '--json', '--help']);
    expect(complete('users', 'dis')).toEqual(['disable']);
    expect(complete('users', 'list', '--j')).toEqual(['--json']);
    const registered = execFileSync('bash', ['-c', `source ${file}; complete -p latchkey`], {
      encoding: 'utf8',
    });
    expect(registered).toContain('-F _latchkey latchkey');
  });

  test.runIf(isInstalled('zsh'))('for zsh prints a valid script', async () => {
    execFileSync('zsh', ['-n', await scriptFor('zsh')]);
  });

  test.runIf(isInstalled('fish'))('for fish prints a valid script', async () => {
    execFileSync('fish', ['-n', await scriptFor('fish')]);
  });

  test('for zsh and fish prints all words of all commands, and with --json prints JSON', async () => {
    for (const shell of ['zsh', 'fish']) {
      const { script, ...rest } = await jsonOn(() => database)(`completion ${shell}`);
      expect(rest).toEqual({ shell });
      for (const { name } of catalogue) for (const word of name.split(' ')) expect(script).toContain(word);
    }
  });
});

// biome-ignore lint/suspicious/noControlCharactersInRegex: the test looks for escape sequences
const escapes = /\x1b/;

describe('escape sequences for colors', () => {
  test('are absent if the output is a pipe, even with FORCE_COLOR', async () => {
    for (const env of [{}, { NO_COLOR: '1' }, { FORCE_COLOR: '1', TERM: 'xterm-256color' }]) {
      for (const line of ['users list', 'doctor', 'audit tail', 'users get no-such-user']) {
        const { stdout, stderr } = await commandsOn(() => database)(line, env);
        expect(`${stdout}${stderr}`).not.toMatch(escapes);
        expect(`${stdout}${stderr}`).not.toBe('');
      }
    }
  });

  test.runIf(isInstalled('script'))('are written to a terminal, except with NO_COLOR or TERM=dumb', () => {
    const shown = (line: string, env: Record<string, string>) =>
      spawnSync('script', ['-qec', `'${process.execPath}' '${program}' ${line}`, '/dev/null'], {
        encoding: 'utf8',
        env: { ...commonEnv, TERM: 'xterm-256color', DATABASE_URL: database.url, ...env },
        ...limits,
      }).stdout;
    for (const line of ['doctor', 'users get no-such-user', 'users --help']) {
      expect(shown(line, {})).toMatch(escapes);
      expect(shown(line, { NO_COLOR: '1' })).not.toMatch(escapes);
      expect(shown(line, { TERM: 'dumb' })).not.toMatch(escapes);
    }
  });
});
