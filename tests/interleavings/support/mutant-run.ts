import { fork } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { mutants } from '../mutants.ts';
import { type MutantCounts, recordMutants } from './campaign.ts';
import { startCampaignServer } from './campaign-database.ts';
import { explore } from './explore.ts';
import { exploreFaults } from './explore-faults.ts';
import { textOf } from './replay.ts';
import { openStage } from './stage.ts';

export interface MutantTask {
  /** The URL of a migrated database. */
  url: string;
  /** Names of operations, as in `InterleavingMutant`. */
  groups: readonly string[];
}

type Verdict = { caught: string } | { survived: string };

/** Runs the schedules of some groups of operations until one has an unexpected outcome. */
export async function tryPairs({ url, groups }: MutantTask): Promise<Verdict> {
  const stage = await openStage(url, { overlaps: true });
  try {
    for (const names of groups) {
      const operations = stage.find(names);
      const [only] = operations.length === 1 ? operations : [];
      const findings = only
        ? (await exploreFaults(stage, only)).findings
        : (await explore(stage, operations)).findings.filter(({ accepted }) => accepted === null);
      if (findings[0]) return { caught: textOf(findings[0]) };
    }
    return { survived: groups.join('; ') };
  } finally {
    await stage.close();
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
  const counts: MutantCounts = { total: 0, caught: 0, equivalent: 0 };
  const failures: string[] = [];
  const queue = [...mutants.entries()].filter(
    ([, { breaks }]) => words.length === 0 || words.some((word) => breaks.includes(word)),
  );
  counts.total = queue.length;
  const work = async () => {
    for (let entry = queue.shift(); entry; entry = queue.shift()) {
      const [n, { breaks, groups, equivalent }] = entry;
      const verdict = await tryMutant(n, { url: await server.createDatabase(`mutant_${n}`), groups });
      const expected = equivalent === undefined ? 'caught' : 'survived';
      if ('caught' in verdict) counts.caught += 1;
      else if (equivalent !== undefined) counts.equivalent += 1;
      if (!(expected in verdict)) failures.push(breaks);
      const [[word, detail] = ['', '']] = Object.entries(verdict);
      print(`${word}: ${breaks}\n    ${detail.split('\n').at(-1)}`);
    }
  };
  try {
    await Promise.all(Array.from({ length: jobs }, work));
  } finally {
    await server.stop();
  }
  print(`\n${counts.total} mutants, ${counts.caught} caught, ${counts.equivalent} equivalent`);
  for (const failure of failures) print(`unexpected: ${failure}`);
  if (words.length === 0) await recordMutants(counts);
  return failures.length === 0 ? 0 : 1;
}

async function tryMutant(n: number, mutant: MutantTask): Promise<Verdict> {
  const child = fork(join(dirname(fileURLToPath(import.meta.url)), `mutant-${n}.js`), { stdio: 'inherit' });
  return new Promise((resolve) => {
    child.on('message', (verdict) => resolve(verdict as Verdict));
    // A service that does not even start is no proof, so the list must not contain such mutants.
    child.on('exit', () => resolve({ survived: 'the program failed' }));
    child.send({ mutant });
  });
}

const print = (text: string) => void process.stdout.write(`${text}\n`);
