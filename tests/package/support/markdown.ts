/**
 * Returns the rows of the first table that has the given column and is under a heading with the given word. The keys
 * are the column names in lower case.
 */
export function readTable(markdown: string, heading: string, column: string): Record<string, string>[] {
  const lines = markdown.split('\n');
  const begin = lines.findIndex((line) => /^#+ /.test(line) && line.split(/\W+/).includes(heading));
  const section = begin < 0 ? [] : lines.slice(begin + 1);
  const end = section.findIndex((line) => /^#+ /.test(line));
  const body = end < 0 ? section : section.slice(0, end);
  const top = body.findIndex((line) =>
    cellsOf(line)
      .map((cell) => cell.toLowerCase())
      .includes(column),
  );
  if (top < 0) throw new Error(`no table with a column "${column}" under a heading with "${heading}"`);
  const names = cellsOf(body[top] ?? '').map((cell) => cell.toLowerCase());
  const rows: Record<string, string>[] = [];
  for (const line of body.slice(top + 2)) {
    if (!line.startsWith('|')) break;
    const cells = cellsOf(line);
    rows.push(Object.fromEntries(names.map((name, n) => [name, cells[n] ?? ''])));
  }
  return rows;
}

const cellsOf = (line: string): string[] =>
  line.startsWith('|')
    ? line
        .trim()
        .slice(1, -1)
        .split(/(?<!\\)\|/)
        .map((cell) => cell.trim().replaceAll('\\|', '|'))
    : [];
