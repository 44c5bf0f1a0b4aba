import { count, type Failover, type ReadResults } from './evidence-results.ts';
import { table } from './markdown.ts';

const textOf = ({ median, max }: { median: number; max: number }): string =>
  median === max ? max.toFixed(1) : `${median.toFixed(1)}, at most ${max.toFixed(1)}`;

const stepsTable = ({ steps }: Failover): string =>
  table(
    ['Fault or repair', 'Rounds', 'Reads work after (s)', 'Mutations work after (s)', 'Lost mutations'],
    steps.map(({ step, rounds, readsWorkAfterSeconds, mutationsWorkAfterSeconds, lost }) => [
      step,
      `${rounds}`,
      textOf(readsWorkAfterSeconds),
      textOf(mutationsWorkAfterSeconds),
      `${lost}`,
    ]),
  );

const historiesTable = ({ histories }: Failover): string =>
  table(
    ['History of', 'Keys', 'Operations', 'Unknown results', 'Not linearizable', 'Undecided'],
    histories.map(({ model, keys, operations, unknown, notLinearizable, undecided }) => [
      model,
      ...[keys, operations, unknown, notLinearizable].map(count),
      undecided === undefined ? '–' : count(undecided),
    ]),
  );

/** The generated parts of docs/evidence.md about the failover campaign. */
export function failoverTables(read: ReadResults): Record<'failover' | 'histories', string> {
  const results = read<Failover>('failover');
  if (results === null)
    return {
      failover: 'The failover campaign has not run.',
      histories: 'The failover campaign has not run.',
    };
  return { failover: stepsTable(results), histories: historiesTable(results) };
}
