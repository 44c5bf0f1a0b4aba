/** One line of the tables in docs/security/: a requirement, and how Latchkey meets it. */
export interface StandardLine {
  number: string;
  /** The cells between the number and the requirement: the level, if the standard has levels. */
  levels: string[];
  status: string;
  /** How Latchkey meets the requirement, or why it does not. */
  how: string;
  /** The tests that show it. Can be empty. */
  tests: string;
}

export const statuses = ['met', 'argued', 'not met', 'application', 'does not apply'];

/** Reads the lines of all tables whose first column is the number of a requirement, such as `6.1.1` or `B.2-1`. */
export const standardLinesIn = (text: string): StandardLine[] =>
  text
    .split('\n')
    .filter((line) => /^\| [A-Z\d]+(\.\d+)+(-\d+)? \|/.test(line))
    .map((line) => {
      const [number = '', ...rest] = line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim());
      const [tests = '', how = '', status = '', , ...levels] = rest.reverse();
      return { number, levels, status, how, tests };
    });

/** How many lines have each status: one row for each group, such as a chapter, and one for all. */
export function totalsOf(
  text: string,
  groupOf: (line: StandardLine) => string,
): [group: string, ...counts: string[]][] {
  const lines = standardLinesIn(text);
  const groups = [...new Set(lines.map(groupOf))];
  const rowOf = (group: string, counted: StandardLine[]): [string, ...string[]] => [
    group,
    ...statuses.map((status) => `${counted.filter((line) => line.status === status).length}`),
  ];
  return [
    ...groups.map((group) =>
      rowOf(
        group,
        lines.filter((line) => groupOf(line) === group),
      ),
    ),
    rowOf('All', lines),
  ];
}
