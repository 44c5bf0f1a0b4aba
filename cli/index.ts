import meow from 'meow';
import { catalogue, featureOf, findEntry, readsSettings } from './catalogue.ts';
import { exitCodes } from './exit-codes.ts';
import { allFeatures } from './features.ts';
import { commandHelp, type HelpSettings, overallHelp } from './help.ts';
import { loadCommand } from './load-command.ts';
import { print, remark, styled } from './output.ts';
import { parse } from './parse.ts';
import { SettingsError } from './settings-error.ts';
import { type SettingsFiles, takeSettingsFiles } from './settings-files.ts';
import { UsageError } from './usage-error.ts';
import { printableJson, printableLines } from './words/printable.ts';

const argv = process.argv.slice(2);
const json = argv.includes('--json');
const interactive = process.stdin.isTTY === true && process.stdout.isTTY === true && !json && !process.env.CI;

async function main(): Promise<number | undefined> {
  const { words, files } = takeSettingsFiles(argv);
  const entry = findEntry(words);
  if (entry) {
    const command = await loadCommand(entry);
    const input = parse(entry.name, command, words.slice(entry.name.split(' ').length));
    const feature = featureOf(entry.name);
    if (input === 'help')
      return print(
        commandHelp(entry.name, command, feature ? await helpSettings(files, entry.name) : settled),
      );
    const run = () => command.run({ ...input, json, interactive });
    if (readsSettings(entry.name)) {
      const { withSettings } = await import('./settings.ts');
      if (!feature) return withSettings(files, run);
      const { nameSetting } = await import('./switched-off.ts');
      return withSettings(files, () => run().catch(nameSetting(feature)));
    }
    if (files.config ?? files.dotenv)
      throw new UsageError(`latchkey ${entry.name} accepts neither --config nor --dotenv.`);
    return run();
  }
  const [first, second] = words;
  const group = catalogue.some(({ name }) => name.startsWith(`${first} `)) ? first : undefined;
  if (first === undefined && interactive)
    return (await import('./commands/interactive.ts')).interactive(files);
  if (first === '--version') return print(`${meow({ importMeta: import.meta, argv: [] }).pkg.version}`);
  if (['--help', '-h', 'help'].includes((group ? second : first) ?? ''))
    return print(overallHelp(await helpSettings(files, group), group));
  const typed = words.filter((word) => !word.startsWith('-')).join(' ');
  throw new UsageError(
    typed === ''
      ? 'Expected a command.'
      : `${typed === group ? 'Incomplete' : 'Unknown'} command "${typed}".`,
    overallHelp(await helpSettings(files, group), group),
  );
}

/** For the help of commands that the settings cannot switch off. */
const settled: HelpSettings = { features: allFeatures, off: null, problem: null };

/**
 * Reads which features are switched off, for the help. The help must also work if the settings cannot be used. Users
 * open the help, or mistype a command, in any directory. So this must not run a file that another user could have
 * written, not even in development.
 *
 * @param name a command or the first word of commands
 */
async function helpSettings(files: SettingsFiles, name = ''): Promise<HelpSettings> {
  try {
    const { withSettings } = await import('./settings.ts');
    const { configuredFeatures, switchedOff } = await import('./switched-off.ts');
    const read = async () => {
      const features = configuredFeatures();
      const feature = featureOf(name);
      const off = feature ? switchedOff(feature, features) : null;
      return { features, off: off && `${off.message} ${off.nextStep}`, problem: null };
    };
    return await withSettings(files, read, { onlyTrusted: true });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const problem = error instanceof SettingsError ? `${message} ${error.next}` : message;
    return { ...settled, problem: printableLines(problem) };
  }
}

/** Prints the error and the next step. */
async function report(error: unknown): Promise<number> {
  const { explain } = await import('./explain.ts');
  const { exitCode, help, ...explanation } = explain(error);
  if (json) remark(printableJson({ error: explanation }));
  else {
    remark(`${styled('red', 'error:', process.stderr)} ${printableLines(explanation.message)}`);
    if (explanation.next) remark(explanation.next);
    if (explanation.stack) remark(printableLines(explanation.stack));
    if (help) remark('', help);
  }
  return exitCode;
}

// `| head` closes the pipe early, which is not an error. A full disk is an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(exitCodes.done);
  void report(error).then((code) => process.exit(code));
});
process.stderr.on('error', () => process.exit(exitCodes.stopped));

process.exitCode = (await main().catch(report)) ?? exitCodes.done;
