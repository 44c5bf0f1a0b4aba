import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { type Results, writeResults } from '../../campaigns/results.ts';
import { accepted, acceptedReason } from '../accepted.ts';
import { startCampaignServer } from './campaign-database.ts';
import { kindsOfGroups } from './plan.ts';
import { hashOfSources, type Progress, readProgress, writeProgress } from './progress.ts';
import { textOf } from './replay.ts';
import { type GroupResult, keyOf, type Plan, type Report, type ShardOptions } from './shard.ts';

export interface CampaignOptions extends Omit<ShardOptions, 'urls' | 'shard' | 'done'> {
  /** Whether to continue where an earlier run ended. */
  resume: boolean;
  /** Where to write the results. Null: with the results of the other campaigns, if all operations were chosen. */
  results: string | null;
  /** The program that runs a shard. */
  program: string;
}

type Deviation = GroupResult['deviations'][number];

type Counts = Record<GroupResult['kind'], number>;

interface CampaignResults extends Results {
  version: string;
  operations: number;
  /** How many groups of each kind there are, see `Group`. */
  planned: Counts;
  /** How many of them were tried. */
  tried: Counts;
  /** Schedules in which a write fails. */
  faults: number;
  schedules: number;
  overlapped: number;
  /** How many groups have an accepted deviation, by reason. */
  acceptedByReason: Record<string, number>;
  unexplained: Pick<Deviation, 'kind' | 'detail' | 'operations' | 'schedule'>[];
}

/** Runs a campaign, and prints what it found. @returns the exit code */
export async function runCampaign(options: CampaignOptions): Promise<number> {
  const { only, overlaps, resume, results } = options;
  const campaign = JSON.stringify([hashOfSources(), overlaps]);
  const earlier = resume ? readProgress(campaign) : null;
  const progress: Progress = earlier ?? { campaign, at: new Date().toISOString(), seconds: 0, groups: [] };
  if (resume && !earlier) print('no earlier run with the same sources and options: begins a new campaign');
  // A group with an unexplained deviation runs again, because the operations may have changed since.
  progress.groups = progress.groups.filter((group) => unexplainedIn([group]).length === 0);
  const plan = await runShards(options, progress);

  const sum = sumOf(progress.groups, plan);
  print(`\n${summaryOf(sum)}`);
  const isWhole = only === null && overlaps && sum.tried.pairs === sum.planned.pairs;
  const unused = accepted.map(({ reason }) => reason).filter((reason) => !sum.acceptedByReason[reason]);
  if (isWhole) for (const reason of unused) print(`no deviation has the accepted reason "${reason}"`);
  if (results !== null)
    writeFileSync(results, `${JSON.stringify(resultsOf(progress, sum, options), null, 2)}\n`);
  else if (only === null && overlaps)
    print(`results: ${await writeResults('interleavings', resultsOf(progress, sum, options))}`);
  return sum.unexplained.length > 0 || (isWhole && unused.length > 0) ? 1 : 0;
}

/** Signals that end a run as the time limit does. */
const signals = ['SIGINT', 'SIGTERM'] as const;

/** Runs the shards in processes of their own, and records their progress. */
async function runShards(options: CampaignOptions, progress: Progress): Promise<Plan> {
  const server = await startCampaignServer();
  const begin = performance.now();
  const earlierSeconds = progress.seconds;
  const done = progress.groups.map(keyOf);
  let plan: Plan | undefined;
  const children: ChildProcess[] = [];
  let isStopped = false;
  const running = Array.from({ length: options.shards }, async (_, shard) => {
    const urls = [
      await server.createDatabase(`shard_${shard}`),
      await server.createDatabase(`other_${shard}`),
    ];
    if (isStopped) return;
    const child = fork(options.program, { stdio: 'inherit' });
    children.push(child);
    child.on('message', (report: Report) => {
      if ('plan' in report) plan = report.plan;
      else {
        progress.groups.push(report.group);
        for (const deviation of unexplainedIn([report.group]))
          print(`\n${textOf(deviation, report.group.kind !== 'bootstraps')}`);
      }
    });
    child.send({ shard: { ...options, urls: urls as [string, string], shard, done } satisfies ShardOptions });
    await ended(child);
  });
  // Each process ends the group that it has begun. A second signal ends everything at once.
  const stop = () => {
    isStopped = true;
    for (const child of children) if (child.connected) child.send('stop');
  };
  for (const signal of signals) process.once(signal, stop);
  const save = () => {
    progress.seconds = earlierSeconds + Math.round((performance.now() - begin) / 1000);
    writeProgress(progress);
  };
  const reporting = setInterval(() => {
    save();
    if (plan) print(summaryOf(sumOf(progress.groups, plan)));
  }, 60_000);
  try {
    await Promise.all(running);
  } finally {
    clearInterval(reporting);
    for (const signal of signals) process.off(signal, stop);
    save();
    await server.stop();
  }
  if (!plan) throw new Error('no process of the campaign has started');
  return plan;
}

async function ended(child: ChildProcess): Promise<void> {
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`a process of the campaign ended with the code ${code}`);
}

const print = (text: string) => void process.stdout.write(`${text}\n`);

type Sum = Pick<
  CampaignResults,
  'operations' | 'planned' | 'tried' | 'faults' | 'schedules' | 'overlapped' | 'acceptedByReason'
> & { unexplained: Deviation[] };

const unexplainedIn = (groups: readonly GroupResult[]): Deviation[] =>
  groups.flatMap(({ deviations }) => deviations.filter((deviation) => acceptedReason(deviation) === null));

/** @param all the results of all runs. An operation can have been removed or renamed since */
function sumOf(all: readonly GroupResult[], { operations, keys }: Plan): Sum {
  const planned = new Set(keys);
  const groups = all.filter((group) => planned.has(keyOf(group)));
  const ofKind = (kind: GroupResult['kind']) => groups.filter((group) => group.kind === kind);
  const total = (some: readonly GroupResult[], count: (result: GroupResult) => number) =>
    some.reduce((sum, one) => sum + count(one), 0);
  const acceptedByReason: Record<string, number> = {};
  for (const { deviations } of groups)
    for (const reason of new Set(deviations.map(acceptedReason)))
      if (reason !== null) acceptedByReason[reason] = (acceptedByReason[reason] ?? 0) + 1;
  const counts = (count: (kind: GroupResult['kind']) => number) =>
    Object.fromEntries(kindsOfGroups.map((kind) => [kind, count(kind)])) as Counts;
  return {
    operations,
    planned: counts((kind) => keys.filter((key) => key.startsWith(`${kind}: `)).length),
    tried: counts((kind) => ofKind(kind).length),
    faults: total(ofKind('faults'), ({ schedules }) => schedules),
    schedules: total(groups, ({ schedules }) => schedules),
    overlapped: total(groups, ({ overlapped }) => overlapped),
    acceptedByReason,
    unexplained: unexplainedIn(groups),
  };
}

function summaryOf({ operations, planned, tried, schedules, unexplained }: Sum): string {
  const groups = kindsOfGroups.map((kind) => `${tried[kind]} of ${planned[kind]} ${kind}`);
  return `${operations} operations, ${groups.join(', ')}, ${schedules} schedules, ${unexplained.length} unexplained`;
}

function resultsOf(
  { campaign, at, seconds }: Progress,
  { unexplained, ...sum }: Sum,
  { triplesSeed, triples }: CampaignOptions,
): CampaignResults {
  const [version] = JSON.parse(campaign) as [string];
  const ofTriples = triplesSeed === null ? '' : ` -- --triples ${triples} --seed ${triplesSeed}`;
  return {
    campaign: 'interleavings',
    command: `npm run interleavings${ofTriples}`,
    at,
    seconds,
    version,
    ...sum,
    unexplained: unexplained.map(({ kind, detail, operations, schedule }) => ({
      kind,
      detail,
      operations,
      schedule,
    })),
  };
}
