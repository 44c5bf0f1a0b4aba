import meow from 'meow';
import { catalogue, type Entry, findEntry } from './catalogue.ts';
import type { Command, Given } from './command.ts';
import { exitCodes } from './exit-codes.ts';
import { commandHelp, overallHelp } from './help.ts';
import { print, remark, styled } from './output.ts';
import { loadCommand } from './registry.ts';
import { loadSettings } from './settings.ts';

const words = process.argv.slice(2);
const json = words.includes('--json');

async function main(): Promise<number> {
  const flagAt = words.findIndex((word) => word.startsWith('-'));
  const named = findEntry(flagAt === -1 ? words : words.slice(0, flagAt));
  if (named) return runCommand(named, words.slice(named.name.split(' ').length));
  const [first] = words;
  if (first === '--version') {
    print(meow({ importMeta: import.meta, argv: [], autoVersion: false }).pkg.version ?? '');
    return exitCodes.done;
  }
  if (first === '--help' || first === 'help') {
    print(overallHelp());
    return exitCodes.done;
  }
  if (first === undefined && isInteractive()) return runApp();
  // Half a name, such as `users`: what goes on from there. Help that was asked for is no failure.
  const isGroup = catalogue.some(({ name }) => name.startsWith(`${first} `));
  if (isGroup && words[1] === '--help') {
    print(overallHelp(first));
    return exitCodes.done;
  }
  if (first !== undefined && !isGroup) remark(`There is no command \`${first}\`.`, '');
  remark(overallHelp(isGroup ? first : undefined));
  return exitCodes.unusable;
}

async function runCommand(entry: Entry, argv: string[]): Promise<number> {
  const command = await loadCommand(entry);
  if (!command) throw new Error(`nothing runs ${entry.name}`);
  if (argv.includes('--help')) {
    print(commandHelp(entry, command));
    return exitCodes.done;
  }
  const given = parse(entry, command, argv);
  loadSettings();
  return (await command.run(given)) ?? exitCodes.done;
}

function parse(entry: Entry, command: Command, argv: string[]): Given {
  const { input, flags } = meow({
    importMeta: import.meta,
    argv,
    help: false,
    description: false,
    autoHelp: false,
    autoVersion: false,
    allowUnknownFlags: false,
    flags: { ...command.flags, json: { type: 'boolean' } },
  });
  const [least, most] = command.words ?? [0, 0];
  if (input.length < least || input.length > most) {
    remark(commandHelp(entry, command));
    process.exit(exitCodes.unusable);
  }
  return { words: input, flags, json, interactive: isInteractive() };
}

const isInteractive = () =>
  process.stdin.isTTY === true && process.stdout.isTTY === true && !json && !process.env.CI;

async function runApp(): Promise<number> {
  const { interactive } = await import('./commands/interactive.ts');
  return interactive();
}

/** Says what went wrong and what to do, and never shows a stack. */
async function tell(error: unknown): Promise<number> {
  const { explain } = await import('./explain.ts');
  const { exitCode, ...explanation } = explain(error);
  if (json) remark(JSON.stringify({ error: explanation }));
  else {
    remark(`${styled('red', 'error:', process.stderr)} ${explanation.message}`);
    if (explanation.next) remark(explanation.next);
  }
  return exitCode;
}

process.exitCode = await main().catch(tell);
