import { styleText } from 'node:util';

type Style = Parameters<typeof styleText>[0];

/** Colour is for people who look on and have not asked for none (https://no-color.org). */
const wantsColour = (stream: NodeJS.WriteStream) =>
  stream.isTTY === true && !process.env.NO_COLOR && process.env.TERM !== 'dumb';

export const styled = (style: Style, text: string, stream: NodeJS.WriteStream = process.stdout): string =>
  wantsColour(stream) ? styleText(style, text, { validateStream: false }) : text;

export const print = (...lines: string[]): void => {
  process.stdout.write(`${lines.join('\n')}\n`);
};

/** For people only: what a script reads stays free of it. */
export const remark = (...lines: string[]): void => {
  process.stderr.write(`${lines.join('\n')}\n`);
};

export const printJson = (value: unknown): void => print(JSON.stringify(value, null, 2));

/** Rows under their heads, each column as wide as its longest cell. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = heads.map((head, column) =>
    Math.max(head.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  return [styled('bold', line(heads)), ...rows.map(line)].join('\n');
}

/** Names and values under each other. */
export function facts(entries: readonly (readonly [name: string, value: string])[]): string {
  const width = Math.max(...entries.map(([name]) => name.length));
  return entries.map(([name, value]) => `${styled('bold', name.padEnd(width))}  ${value}`).join('\n');
}

/** `2026-11-21 05:03`, in UTC, for tables. */
export const shortTime = (rfc3339: string | null): string =>
  rfc3339 === null ? '–' : rfc3339.slice(0, 16).replace('T', ' ');
