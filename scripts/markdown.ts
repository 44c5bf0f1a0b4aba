export function table(head: string[], rows: string[][]): string {
  const escaped = rows.map((cells) => cells.map((cell) => cell.replaceAll('|', '\\|')));
  return [lineOf(head), `|${'---|'.repeat(head.length)}`, ...escaped.map(lineOf)].join('\n');
}

const lineOf = (cells: string[]): string => `|${cells.map((cell) => (cell ? ` ${cell} ` : ' ')).join('|')}|`;

export const code = (text: string): string => `\`${text}\``;
