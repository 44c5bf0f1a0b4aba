import { styleText } from 'node:util';
import { printable, printableJson, widthOf } from './words/printable.ts';

type Style = Parameters<typeof styleText>[0];

/** Uses colors only in a terminal. NO_COLOR turns them off (https://no-color.org). */
const wantsColor = (stream: NodeJS.WriteStream) =>
  stream.isTTY === true && !process.env.NO_COLOR && process.env.TERM !== 'dumb';

export const styled = (style: Style, text: string, stream: NodeJS.WriteStream = process.stdout): string =>
  wantsColor(stream) ? styleText(style, text, { validateStream: false }) : text;

export const print = (...lines: string[]): undefined => {
  process.stdout.write(`${lines.join('\n')}\n`);
};

/** Prints to stderr, so that scripts can parse stdout. */
export const remark = (...lines: string[]): undefined => {
  process.stderr.write(`${lines.join('\n')}\n`);
};

export const printJson = (value: unknown): undefined => print(printableJson(value, 2));

/** Formats a table. Each column is as wide as its longest cell. Escapes control characters. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = rows.map((row) => row.map(printable));
  const widths = heads.map((head, column) =>
    Math.max(widthOf(head), ...cells.map((row) => widthOf(row[column] ?? ''))),
  );
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => padded(cell, widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  return [styled('bold', line(heads)), ...cells.map(line)].join('\n');
}

/** Formats one line for each name and value. Escapes control characters in values. */
export function facts(entries: readonly (readonly [name: string, value: string])[]): string {
  const width = Math.max(...entries.map(([name]) => name.length));
  return entries
    .map(([name, value]) => `${styled('bold', padded(name, width))}  ${printable(value)}`)
    .join('\n');
}

const padded = (text: string, width: number) => text + ' '.repeat(Math.max(0, width - widthOf(text)));

/** A time in UTC, such as `2026-11-21 05:03`. */
export const utcTime = (rfc3339: string | null): string =>
  rfc3339 === null ? '–' : rfc3339.slice(0, 16).replace('T', ' ');
