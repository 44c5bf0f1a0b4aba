import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { type Results, writeResults } from '../../campaigns/results.ts';
import { accepted } from '../accepted.ts';
import { startCampaignServer } from './campaign-database.ts';
import { hashOfSources, type Progress, readProgress, writeProgress } from './progress.ts';
import { textOf } from './replay.ts';
import type { ShardOptions, ShardResult } from './shard.ts';

export interface CampaignOptions extends Pick<ShardOptions, 'minutes' | 'only' | 'overlaps' | 'triplesSeed'> {
  shards: number;
  /** Whether to continue where an earlier run ended. */
  resume: boolean;
  /** Where to write the results. Null: with the results of the other campaigns, if all pairs have run. */
  results: string | null;
  /** The program that runs a shard. */
  program: string;
}

export interface MutantCounts {
  total: number;
  caught: number;
  equivalent: number;
}

interface CampaignResults extends Results {
  version: string;
  operations: number;
  pairs: number;
  pairsTried: number;
  chains: number;
  triples: number;
  faults: number;
  schedules: number;
  overlapped: number;
  acceptedByReason: Record<string, number>;
  unexplained: Pick<ShardResult['findings'][number], 'kind' | 'detail' | 'operations' | 'schedule'>[];
  mutants: MutantCounts | null;
}

const file = 'tests/evidence/results/interleavings.json';

/** Runs a campaign, and prints what it found. @returns the exit code */
export async function runCampaign(options: CampaignOptions): Promise<number> {
  const { only, overlaps, triplesSeed, shards, results } = options;
  const campaign = JSON.stringify([hashOfSources(), only, overlaps, triplesSeed, shards]);
  const fresh = { campaign, at: new Date().toISOString(), seconds: 0, shards: Array(shards).fill(null) };
  const progress: Progress = options.resume ? readProgress(campaign) : fresh;
  await runShards(options, progress);

  const sum = sumOf(progress.shards);
  for (const finding of sum.findings) print(`\n${textOf(finding)}`);
  print(`\n${summaryOf(sum)}`);
  const isWhole = only === null && overlaps && sum.pairs === sum.allPairs;
  const unused = accepted.map(({ reason }) => reason).filter((reason) => !sum.acceptedByReason[reason]);
  if (isWhole) for (const reason of unused) print(`no deviation has the accepted reason "${reason}"`);
  if (results !== null) writeFileSync(results, `${JSON.stringify(resultsOf(progress, sum), null, 2)}\n`);
  else if (isWhole) print(`results: ${await writeResults('interleavings', resultsOf(progress, sum))}`);
  return sum.findings.length > 0 || (isWhole && unused.length > 0) ? 1 : 0;
}

/** Runs the shards in processes of their own, and records their progress. */
async function runShards(options: CampaignOptions, progress: Progress): Promise<void> {
  const server = await startCampaignServer();
  const begin = performance.now();
  const earlierSeconds = progress.seconds;
  const running = progress.shards.map(async (earlier, shard) => {
    const child = fork(options.program, { stdio: 'inherit' });
    child.on('message', (result) => {
      progress.shards[shard] = result as ShardResult;
    });
    const url = await server.createDatabase(`shard_${shard}`);
    child.send({ shard: { ...options, url, shard, earlier } satisfies ShardOptions });
    await ended(child);
  });
  const save = () => {
    progress.seconds = earlierSeconds + Math.round((performance.now() - begin) / 1000);
    writeProgress(progress);
  };
  const reporting = setInterval(() => {
    save();
    print(summaryOf(sumOf(progress.shards)));
  }, 60_000);
  try {
    await Promise.all(running);
  } finally {
    clearInterval(reporting);
    save();
    await server.stop();
  }
}

async function ended(child: ChildProcess): Promise<void> {
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`a process of the campaign ended with the code ${code}`);
}

const print = (text: string) => void process.stdout.write(`${text}\n`);

function sumOf(all: readonly (ShardResult | null)[]): ShardResult {
  const shards = all.filter((result) => result !== null);
  const total = (count: (result: ShardResult) => number) => shards.reduce((sum, one) => sum + count(one), 0);
  const acceptedByReason: Record<string, number> = {};
  for (const one of shards)
    for (const [reason, count] of Object.entries(one.acceptedByReason))
      acceptedByReason[reason] = (acceptedByReason[reason] ?? 0) + count;
  return {
    operations: shards[0]?.operations ?? 0,
    allPairs: shards[0]?.allPairs ?? 0,
    position: Math.min(...shards.map(({ position }) => position)),
    pairs: total(({ pairs }) => pairs),
    chains: total(({ chains }) => chains),
    triples: total(({ triples }) => triples),
    faults: total(({ faults }) => faults),
    schedules: total(({ schedules }) => schedules),
    overlapped: total(({ overlapped }) => overlapped),
    findings: shards.flatMap(({ findings }) => findings),
    acceptedByReason,
  };
}

const summaryOf = (sum: ShardResult): string =>
  `${sum.operations} operations, ${sum.pairs} of ${sum.allPairs} pairs, ${sum.chains} chains, ${sum.faults} faults, ` +
  `${sum.triples} triples, ${sum.schedules} schedules, ${sum.findings.length} findings`;

function resultsOf({ campaign, at, seconds }: Progress, sum: ShardResult): CampaignResults {
  const [version, , , triplesSeed] = JSON.parse(campaign) as [string, unknown, unknown, string | null];
  return {
    campaign: 'interleavings',
    command: `npm run interleavings${triplesSeed === null ? '' : ` -- --triples ${triplesSeed}`}`,
    at,
    seconds,
    version,
    operations: sum.operations,
    pairs: sum.allPairs,
    pairsTried: sum.pairs,
    chains: sum.chains,
    triples: sum.triples,
    faults: sum.faults,
    schedules: sum.schedules,
    overlapped: sum.overlapped,
    acceptedByReason: sum.acceptedByReason,
    unexplained: sum.findings.map(({ kind, detail, operations, schedule }) => ({
      kind,
      detail,
      operations,
      schedule,
    })),
    mutants: recordedResults()?.mutants ?? null,
  };
}

function recordedResults(): CampaignResults | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as CampaignResults;
  } catch {
    return null;
  }
}

/** Adds the counts of the mutants to the results of the last whole campaign. */
export async function recordMutants(mutants: MutantCounts): Promise<void> {
  const recorded = recordedResults();
  if (recorded) await writeResults('interleavings', { ...recorded, mutants } as CampaignResults);
}
