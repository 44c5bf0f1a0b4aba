import { catalogue, readsSettings } from './catalogue.ts';
import type { Command, Flag, Flags } from './command.ts';
import { styled } from './output.ts';

export const commonFlags = {
  json: { type: 'boolean', about: 'Print JSON' },
  help: { type: 'boolean', shortFlag: 'h', about: 'Show this help' },
} as const satisfies Flags;

/** `takeSettingsFiles` reads these flags. */
const fileFlags = {
  config: { type: 'string', value: 'file', about: 'Read the options from this file' },
  dotenv: { type: 'string', value: 'file', about: 'Read environment variables from this file' },
} as const satisfies Flags;

export const sharedFlags = { ...fileFlags, ...commonFlags } as const;

export const dashed = (flag: string): string =>
  flag.length === 1 ? `-${flag}` : `--${flag.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

const section = (heading: string, rows: readonly (readonly [left: string, right: string])[]): string => {
  const width = Math.max(...rows.map(([left]) => left.length));
  return [styled('bold', heading), ...rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`)].join(
    '\n',
  );
};

const flagRow = ([name, { type, shortFlag, value, about, choices, range }]: [string, Flag]) => {
  const short = shortFlag ? `, -${shortFlag}` : '';
  const placeholder = type === 'boolean' ? '' : ` <${value ?? (type === 'number' ? 'n' : name)}>`;
  const limits = choices ? `: ${choices.join(', ')}` : range ? `, ${range.join(' to ')}` : '';
  return [`${dashed(name)}${short}${placeholder}`, `${about}${limits}`] as const;
};

/** The text of `latchkey --help`. @param group lists only commands that begin with this word */
export const overallHelp = (group?: string): string =>
  [
    section('Usage', [
      ['latchkey', 'Open the interactive screens (in a terminal)'],
      ['latchkey <command> --help', 'Show the help for a command'],
    ]),
    section(
      'Commands',
      catalogue
        .filter(({ name }) => group === undefined || name.split(' ')[0] === group)
        .map(({ name, summary }) => [name, summary]),
    ),
    section('Options', [...Object.entries(sharedFlags).map(flagRow), ['--version', 'Print the version']]),
    section('Exit codes', [
      ['0', 'Done'],
      ['1', 'A bug in Latchkey'],
      ['2', 'Invalid input or configuration'],
      ['3', 'Refused, for example because no user has that name'],
      ['4', 'The database is unreachable, not migrated, or reports an error'],
      ['5', 'Not completed: canceled, link expired, or file error'],
    ]),
    'Settings come from the environment, from latchkey.config.ts (or .js, .mjs) and, in development, from the file .env.',
  ].join('\n\n');

export const usageOf = (name: string, { args }: Command): string =>
  `Usage: ${['latchkey', name, args, '[options]'].filter(Boolean).join(' ')}`;

const flagsOf = (name: string, command: Command): Flags => ({
  ...command.flags,
  ...(readsSettings(name) ? sharedFlags : commonFlags),
});

export const commandHelp = (name: string, command: Command): string =>
  [
    catalogue.find((entry) => entry.name === name)?.summary,
    usageOf(name, command),
    section('Options', Object.entries(flagsOf(name, command)).map(flagRow)),
    command.note,
  ]
    .filter((part) => part !== undefined)
    .join('\n\n');
