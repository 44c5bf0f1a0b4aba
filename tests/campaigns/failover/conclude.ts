import { writeResults } from '../results.ts';
import { checkHistories } from './histories/check.ts';
import { type RecordedRun, readRecording } from './recording.ts';
import { historyTable, stepTable, totalsOf, violationsOf } from './report.ts';
import { summarize } from './summary.ts';

/**
 * Checks the completed rounds of a recording, prints the tables and writes the results.
 *
 * @returns whether no result is a violation, and the check has decided all histories
 */
export async function conclude(folder: string, print: (text: string) => void): Promise<boolean> {
  const runs = readRecording(folder);
  const [first] = runs;
  if (!first) {
    print(`${folder} has no completed round.`);
    return false;
  }
  const outcomes = runs.flatMap((run) => run.outcomes);
  const steps = summarize(outcomes);
  // Each run has keys of its own, because it has clusters of its own.
  const checked = checkHistories(runs.flatMap(({ histories }) => histories));
  const violations = [...violationsOf(outcomes, checked), ...runs.flatMap(({ problems }) => problems)];
  print(`\n${stepTable(steps)}\n${historyTable(checked)}`);
  for (const violation of violations) print(`VIOLATION: ${violation}`);
  const undecided = checked.flatMap(({ model, undecided }) => undecided.map((key) => `${model} ${key}`));
  for (const history of undecided) print(`UNDECIDED: the search reached its limit for ${history}`);
  const { at, cores, settings } = first;
  const rounds = sum(runs.map((run) => run.rounds));
  const results = {
    campaign: 'failover',
    command: commandOf(first, rounds),
    at,
    seconds: sum(runs.map(({ seconds }) => seconds)),
    seed: settings.seed,
    cores,
    rounds,
    ...totalsOf(steps, checked),
    steps,
    violations,
  };
  const name = settings.asynchronous ? 'failover-asynchronous' : 'failover';
  if (settings.isComplete) print(`The results are in ${await writeResults(name, results)}`);
  return violations.length === 0 && undecided.length === 0;
}

function commandOf({ settings: { seed, seconds, asynchronous } }: RecordedRun, rounds: number): string {
  const command = `npm run campaign -- failover --rounds=${rounds} --seed=${seed} --seconds=${seconds}`;
  return asynchronous ? `${command} --asynchronous` : command;
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
