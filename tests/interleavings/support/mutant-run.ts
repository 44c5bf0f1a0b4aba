import { fork } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { acceptedReason } from '../accepted.ts';
import { mutants } from '../mutants.ts';
import { startCampaignServer } from './campaign-database.ts';
import { recordMutant } from './mutant-results.ts';
import type { Group } from './plan.ts';
import { textOf } from './replay.ts';
import { closeStages, openStages, tryGroup } from './shard.ts';

export interface MutantTask {
  /** See `ShardOptions`. */
  urls: readonly [usual: string, withoutSuperadmins: string];
  /** Names of operations, as in `InterleavingMutant`. */
  groups: readonly string[];
}

/** `failed`: the program ended without a verdict, so it says nothing about the mutant. */
type Verdict = { caught: string } | { survived: string } | { failed: string };

/** Runs the schedules of some groups of operations until one has an unexpected outcome. */
export async function tryGroups({ urls, groups }: MutantTask): Promise<Verdict> {
  const stages = await openStages(urls, { overlaps: true });
  try {
    for (const text of groups) {
      const [, kind, names = ''] = /^(?:(\w+): )?(.+)$/.exec(text) ?? [];
      const byNames = names.includes(' | ') ? 'pairs' : 'faults';
      const { deviations } = await tryGroup(stages, { kind: (kind ?? byNames) as Group['kind'], names });
      const unexplained = deviations.find((deviation) => acceptedReason(deviation) === null);
      if (unexplained) return { caught: textOf(unexplained, kind !== 'bootstraps') };
    }
    return { survived: groups.join('; ') };
  } finally {
    await closeStages(stages);
  }
}

/**
 * Runs the mutants, each with the operations that should show it. `scripts/interleavings.mjs` has written the program of
 * each mutant.
 *
 * @param words only mutants that contain one of these words. Empty: all mutants
 * @returns the exit code
 */
export async function runMutants(words: readonly string[], jobs: number): Promise<number> {
  const server = await startCampaignServer();
  const begun = { at: new Date().toISOString(), ms: performance.now() };
  const failures: string[] = [];
  const queue = [...mutants.entries()].filter(
    ([, { breaks }]) => words.length === 0 || words.some((word) => breaks.includes(word)),
  );
  let recording = Promise.resolve('');
  const work = async () => {
    for (let entry = queue.shift(); entry; entry = queue.shift()) {
      const [n, { breaks, groups, equivalent }] = entry;
      const verdict = await tryMutant(n, {
        urls: [await server.createDatabase(`mutant_${n}`), await server.createDatabase(`mutant_${n}_other`)],
        groups,
      });
      const expected = equivalent === undefined ? 'caught' : 'survived';
      if (!(expected in verdict)) failures.push(breaks);
      const [[word, detail] = ['', '']] = Object.entries(verdict);
      print(`${word}: ${breaks}\n    ${detail.split('\n').at(-1)}`);
      if ('failed' in verdict) continue;
      const seconds = Math.round((performance.now() - begun.ms) / 1000);
      recording = recording.then(() => recordMutant(breaks, word === 'caught', { at: begun.at, seconds }));
    }
  };
  try {
    await Promise.all(Array.from({ length: jobs }, work));
  } finally {
    await server.stop();
  }
  print(`\nresults: ${await recording}`);
  for (const failure of failures) print(`unexpected: ${failure}`);
  return failures.length === 0 ? 0 : 1;
}

async function tryMutant(n: number, mutant: MutantTask): Promise<Verdict> {
  const child = fork(join(dirname(fileURLToPath(import.meta.url)), `mutant-${n}.js`), { stdio: 'inherit' });
  return new Promise((resolve) => {
    child.on('message', (verdict) => resolve(verdict as Verdict));
    // A service that does not even start is no proof, so the list must not contain such mutants.
    child.on('exit', () => resolve({ failed: 'the program ended early' }));
    child.send({ mutant });
  });
}

const print = (text: string) => void process.stdout.write(`${text}\n`);
