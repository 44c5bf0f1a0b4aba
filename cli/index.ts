import meow from 'meow';
import { catalogue, findEntry, readsSettings } from './catalogue.ts';
import { exitCodes } from './exit-codes.ts';
import { overallHelp } from './help.ts';
import { loadCommand } from './load-command.ts';
import { print, remark, styled } from './output.ts';
import { parse } from './parse.ts';
import { takeSettingsFiles } from './settings-files.ts';
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
    if (typeof input === 'string') return print(input);
    const run = () => command.run({ ...input, json, interactive });
    if (readsSettings(entry.name)) return (await import('./settings.ts')).withSettings(files, run);
    if (files.config ?? files.dotenv)
      throw new UsageError(`latchkey ${entry.name} accepts neither --config nor --dotenv.`);
    return run();
  }
  const [first, second] = words;
  const group = catalogue.some(({ name }) => name.startsWith(`${first} `)) ? first : undefined;
  if (first === undefined && interactive)
    return (await import('./commands/interactive.ts')).interactive(files);
  if (first === '--version') return print(`${meow({ importMeta: import.meta, argv: [] }).pkg.version}`);
  if (['--help', '-h', 'help'].includes((group ? second : first) ?? '')) return print(overallHelp(group));
  const typed = words.filter((word) => !word.startsWith('-')).join(' ');
  throw new UsageError(
    typed === ''
      ? 'Expected a command.'
      : `${typed === group ? 'Incomplete' : 'Unknown'} command "${typed}".`,
    overallHelp(group),
  );
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
