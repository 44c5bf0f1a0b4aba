import { catalogue, type Entry } from './catalogue.ts';
import type { Command } from './command.ts';
import { styled } from './output.ts';

const common = [
  ['--json', 'Print for programs'],
  ['--help', 'Say how it is used'],
] as const;

const columns = (rows: readonly (readonly [string, string])[]): string => {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n');
};

const heading = (text: string) => styled('bold', text);

/** What `latchkey --help` prints. @param group only the commands that begin with this word */
export function overallHelp(group?: string): string {
  const shown = catalogue.filter(({ name }) => group === undefined || name.split(' ')[0] === group);
  return [
    `${heading('latchkey')}: accounts, invitations and the audit log, from the terminal.`,
    '',
    heading('Usage'),
    '  latchkey                    Work interactively, in a terminal',
    '  latchkey <command> --help   Say how a command is used',
    '',
    heading('Commands'),
    columns(shown.map(({ name, summary }) => [name, summary])),
    '',
    heading('Options'),
    columns([...common, ['--version', 'Print the version']]),
    '',
    'Settings come from the environment and from .env, as for the server. Exit codes: 0 done, 1 failed,',
    '2 input or configuration that cannot be used, 3 refused by how things stand, 4 no usable database.',
  ].join('\n');
}

export const commandHelp = ({ name, summary }: Entry, { usage, options = [] }: Command): string =>
  [
    summary,
    '',
    heading('Usage'),
    `  latchkey ${name} ${usage}`.trimEnd(),
    '',
    heading('Options'),
    columns([...options, ...common]),
  ].join('\n');
