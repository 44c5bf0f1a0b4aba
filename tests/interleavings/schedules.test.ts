import { describe, expect, test } from 'vitest';
import { type Choice, Search } from './support/schedules.ts';

/** Enumerates the schedules of operations that are given as texts: `r` is a read, `w` a change. */
function schedulesOf(...operations: string[]): string[] {
  const found: string[] = [];
  const search = new Search();
  do {
    const left = operations.map((statements) => [...statements]);
    let schedule: string | null = '';
    while (schedule !== null && left.some(({ length }) => length > 0)) {
      const choices = left.flatMap((statements, n): Choice[] =>
        statements.length > 0 ? [{ step: 'ABC'[n] ?? '', reads: statements[0] === 'r' }] : [],
      );
      const step = search.choose(choices);
      schedule = step === null ? null : `${schedule} ${step}`;
      if (step !== null) left['ABC'.indexOf(step)]?.shift();
    }
    if (schedule !== null) found.push(schedule.trim());
  } while (search.advance());
  return found;
}

describe('the search', () => {
  test('finds every order of changes exactly once', () => {
    expect(schedulesOf('ww', 'ww').sort()).toEqual([
      'A A B B',
      'A B A B',
      'A B B A',
      'B A A B',
      'B A B A',
      'B B A A',
    ]);
    expect(schedulesOf('www', 'www')).toHaveLength(20);
    expect(schedulesOf('w', 'w', 'w')).toHaveLength(6);
  });

  test('runs only one of the orders that differ in adjacent reads', () => {
    expect(schedulesOf('r', 'r')).toHaveLength(1);
    expect(schedulesOf('rrr', 'rrr')).toHaveLength(1);
    // Both reads come before both changes, or one operation ends before the other one reads.
    expect(schedulesOf('rw', 'rw').sort()).toEqual(['A A B B', 'A B A B', 'A B B A', 'B B A A']);
  });
});
