import { catalogue } from '../../cli/catalogue.ts';
import type { Flag } from '../../cli/command.ts';
import { dashed, sharedFlags } from '../../cli/help.ts';
import { loadCommand } from '../../cli/load-command.ts';
import { code, table } from '../markdown.ts';

/** The generated parts of docs/reference/terminal.md, by name. */
export async function terminalParts(): Promise<Record<string, string>> {
  const commands = await Promise.all(
    catalogue.map(async (entry) => ({ ...entry, ...(await loadCommand(entry)) })),
  );
  return {
    commands: table(
      ['Command', ''],
      commands.map(({ name, summary, args }) => [
        `[${code(['latchkey', name, args].filter(Boolean).join(' '))}](#latchkey-${name.replaceAll(' ', '-')})`,
        summary,
      ]),
    ),
    'shared-options': optionsTable(sharedFlags),
    details: commands
      .map(({ name, summary, args, flags = {}, note }) =>
        [
          `### latchkey ${name}`,
          `${code(['latchkey', name, args, Object.keys(flags).length > 0 && '[options]'].filter(Boolean).join(' '))}`,
          `${summary}.`,
          Object.keys(flags).length > 0 && optionsTable(flags),
          note,
        ]
          .filter(Boolean)
          .join('\n\n'),
      )
      .join('\n\n'),
  };
}

const optionsTable = (flags: Readonly<Record<string, Flag>>): string =>
  table(
    ['Option', ''],
    Object.entries(flags).map(([name, { type, shortFlag, value, about, choices, range }]) => {
      const placeholder = type === 'boolean' ? '' : ` <${value ?? (type === 'number' ? 'n' : name)}>`;
      const limits = choices ? `: ${choices.map(code).join(', ')}` : range ? `, ${range.join(' to ')}` : '';
      return [
        `${code(`${dashed(name)}${placeholder}`)}${shortFlag ? `, ${code(`-${shortFlag}`)}` : ''}`,
        `${about}${limits}`,
      ];
    }),
  );
