import { availableCommands, catalogue, readsSettings } from './catalogue.ts';
import type { Command, Flag, Flags } from './command.ts';
import { allFeatures, type Features } from './features.ts';
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

const flagRow = ([name, flag]: [string, Flag], features = allFeatures) => {
  const { type, shortFlag, value, about, choices, range } = { ...flag, ...flag.without?.(features) };
  const short = shortFlag ? `, -${shortFlag}` : '';
  const placeholder = type === 'boolean' ? '' : ` <${value ?? (type === 'number' ? 'n' : name)}>`;
  const limits = choices ? `: ${choices.join(', ')}` : range ? `, ${range.join(' to ')}` : '';
  return [`${dashed(name)}${short}${placeholder}`, `${about}${limits}`] as const;
};

/** What the help needs to know about the configuration. */
export interface HelpSettings {
  /** The features that are on. If the settings cannot be used: all features. */
  features: Features;
  /** Why the command or group is switched off, and how to switch it on. Null: it is not switched off. */
  off: string | null;
  /** Why the settings cannot be used, or null. */
  problem: string | null;
}

/** The text of `latchkey --help`. @param group lists only commands that begin with this word */
export function overallHelp({ features, off, problem }: HelpSettings, group?: string): string {
  const commands = availableCommands(features).filter(
    ({ name }) => group === undefined || name.split(' ')[0] === group,
  );
  return [
    section('Usage', [
      ['latchkey', 'Open the interactive screens (in a terminal)'],
      ['latchkey <command> --help', 'Show the help for a command'],
    ]),
    off ??
      section(
        'Commands',
        commands.map(({ name, summary }) => [name, summary]),
      ),
    section('Options', [
      ...Object.entries(sharedFlags).map((flag) => flagRow(flag)),
      ['--version', 'Print the version'],
    ]),
    section('Exit codes', [
      ['0', 'Done'],
      ['1', 'A bug in Latchkey'],
      ['2', 'Invalid input or configuration'],
      ['3', 'Refused, for example because no user has that name'],
      ['4', 'The database is unreachable, not migrated, or reports an error'],
      ['5', 'Not completed: canceled, link expired, or file error'],
    ]),
    'Settings come from the environment, from latchkey.config.ts (or .js, .mjs) and, in development, from the file .env.',
    problem === null
      ? 'Commands that the settings switch off are not listed.'
      : `The list contains all commands, because the settings cannot be used: ${problem}`,
  ].join('\n\n');
}

export const usageOf = (name: string, { args }: Command): string =>
  `Usage: ${['latchkey', name, args, '[options]'].filter(Boolean).join(' ')}`;

const flagsOf = (name: string, command: Command): Flags => ({
  ...command.flags,
  ...(readsSettings(name) ? sharedFlags : commonFlags),
});

export const commandHelp = (
  name: string,
  command: Command,
  { features, off, problem }: HelpSettings,
): string =>
  [
    catalogue.find((entry) => entry.name === name)?.summary,
    usageOf(name, command),
    section(
      'Options',
      Object.entries(flagsOf(name, command)).map((flag) => flagRow(flag, features)),
    ),
    command.note,
    off,
    problem && `The settings cannot be used, so the command can be switched off: ${problem}`,
  ]
    .filter((part) => part !== undefined && part !== null)
    .join('\n\n');
