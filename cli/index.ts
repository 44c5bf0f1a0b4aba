import meow from 'meow';
import { catalogue, type Entry, findEntry } from './catalogue.ts';
import { exitCodes } from './exit-codes.ts';
import { commandHelp, overallHelp } from './help.ts';
import { print, remark, styled } from './output.ts';
import { parse } from './parse.ts';
import { loadCommand } from './registry.ts';
import { loadSettings } from './settings.ts';
import { UsageError } from './usage-error.ts';
import { printableJson, printableLines } from './words/printable.ts';

const words = process.argv.slice(2);
const json = words.includes('--json');
const interactive = process.stdin.isTTY === true && process.stdout.isTTY === true && !json && !process.env.CI;

async function main(): Promise<number> {
  const flagAt = words.findIndex((word) => word.startsWith('-'));
  const entry = findEntry(flagAt === -1 ? words : words.slice(0, flagAt));
  if (entry) return runCommand(entry, words.slice(entry.name.split(' ').length));
  const [first] = words;
  if (first === '--version') {
    print(meow({ importMeta: import.meta, argv: [], autoVersion: false }).pkg.version ?? '');
    return exitCodes.done;
  }
  if (first === '--help' || first === 'help') {
    print(overallHelp());
    return exitCodes.done;
  }
  if (first === undefined && interactive) return runApp();
  // Half a name, such as `users`: what goes on from there. Help that was asked for is no failure.
  const isGroup = catalogue.some(({ name }) => name.startsWith(`${first} `));
  if (isGroup && words[1] === '--help') {
    print(overallHelp(first));
    return exitCodes.done;
  }
  if (isGroup) throw new UsageError(`\`${words.join(' ')}\` is not all of a command.`, overallHelp(first));
  const message = first === undefined ? 'Expected a command.' : `There is no command \`${first}\`.`;
  throw new UsageError(message, overallHelp());
}

async function runCommand(entry: Entry, argv: string[]): Promise<number> {
  const command = await loadCommand(entry);
  if (!command) throw new Error(`nothing runs ${entry.name}`);
  const help = commandHelp(entry, command);
  if (argv.includes('--help')) {
    print(help);
    return exitCodes.done;
  }
  const given = parse(command, argv, help, { json, interactive });
  loadSettings();
  return (await command.run(given)) ?? exitCodes.done;
}

async function runApp(): Promise<number> {
  const app = await import('./commands/interactive.ts');
  return app.interactive();
}

/** Prints what went wrong and what to do. */
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

// Whoever reads no further, `| head` say, has what they wanted. A full disk is told of.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(exitCodes.done);
  void report(error).then((code) => process.exit(code));
});
process.stderr.on('error', () => process.exit(exitCodes.stopped));

process.exitCode = await main().catch(report);
