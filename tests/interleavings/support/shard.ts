import { performance } from 'node:perf_hooks';
import { type Exploration, explore, type Finding } from './explore.ts';
import { exploreCaches } from './explore-caches.ts';
import { exploreFaults } from './explore-faults.ts';
import type { Operation } from './operation.ts';
import { type Group, nameOf, planOf } from './plan.ts';
import { Sample } from './schedules.ts';
import { type OpenStage, openStage } from './stage.ts';
import { openSecondInstance, type SecondInstance } from './two-instances.ts';

export interface ShardOptions {
  /** The URLs of two migrated databases: for the usual data, and for the data without superadmins. */
  urls: readonly [usual: string, withoutSuperadmins: string];
  /** This shard takes every `shards`-th group, starting with this one. */
  shard: number;
  shards: number;
  minutes: number;
  /** Part of the names of the operations. Null: all operations. */
  only: string | null;
  overlaps: boolean;
  /** The seed of the triples. Null: no triples. */
  triplesSeed: string | null;
  /** How many triples. */
  triples: number;
  /** The keys of the groups that earlier runs have tried. */
  done: readonly string[];
}

/** What the schedules of a group of operations have shown. */
export interface GroupResult {
  kind: Group['kind'];
  /** The names of the operations: `bob leaves | adm leaves`. */
  names: string;
  schedules: number;
  /** How many of the schedules have overlapping statements. */
  overlapped: number;
  /** The deviations, also those with an entry in `accepted.ts`. */
  deviations: (Omit<Finding, 'accepted' | 'labels'> & { labels?: string[] })[];
}

/** Two groups of different kinds can have the same names. */
export const keyOf = ({ kind, names }: Pick<GroupResult, 'kind' | 'names'>): string => `${kind}: ${names}`;

/** What a campaign tries: the number of operations, and the keys of all groups. */
export interface Plan {
  operations: number;
  keys: string[];
}

export type Report = { plan: Plan } | { group: GroupResult };

/** How many schedules of a triple run. A triple has hundreds of schedules. */
const schedulesOfTriple = 3;

interface Stages {
  usual: OpenStage;
  withoutSuperadmins: OpenStage;
  second: SecondInstance;
}

export async function openStages(
  urls: ShardOptions['urls'],
  { overlaps }: Pick<ShardOptions, 'overlaps'>,
): Promise<Stages> {
  const usual = await openStage(urls[0], { overlaps });
  const withoutSuperadmins = await openStage(urls[1], { overlaps, superadmins: false });
  return { usual, withoutSuperadmins, second: await openSecondInstance(usual.world) };
}

export async function closeStages({ usual, withoutSuperadmins, second }: Stages): Promise<void> {
  await second.close();
  await withoutSuperadmins.close();
  await usual.close();
}

/** Runs a part of a campaign. @param isStopped whether to run no more groups */
export async function runShard(
  options: ShardOptions,
  report: (report: Report) => void,
  isStopped: () => boolean,
): Promise<void> {
  const { urls, shard, shards, minutes } = options;
  const until = performance.now() + minutes * 60_000;
  const stages = await openStages(urls, options);
  const groups = planOf(stages.usual, options).map((group) => ({ kind: group.kind, names: nameOf(group) }));
  if (shard === 0) report({ plan: { operations: stages.usual.operations.length, keys: groups.map(keyOf) } });
  const done = new Set(options.done);
  const left = groups.filter((group) => !done.has(keyOf(group)));
  for (const group of left.filter((_, n) => n % shards === shard)) {
    if (performance.now() > until || isStopped()) break;
    report({ group: await tryGroup(stages, group, options.triplesSeed) });
  }
  await closeStages(stages);
}

/** Runs the schedules of a group of operations. */
export async function tryGroup(
  { usual, withoutSuperadmins, second }: Stages,
  { kind, names }: Pick<GroupResult, 'kind' | 'names'>,
  triplesSeed: string | null = null,
): Promise<GroupResult> {
  const stage = kind === 'bootstraps' ? withoutSuperadmins : usual;
  const operations = stage.find(names);
  const [first] = operations as [Operation];
  if (kind === 'faults') {
    const { faults, findings } = await exploreFaults(stage, first);
    return { kind, names, schedules: faults, overlapped: 0, deviations: findings };
  }
  if (kind === 'caches') {
    const { schedules, findings } = await exploreCaches(stage, second, first);
    return { kind, names, schedules, overlapped: 0, deviations: findings };
  }
  const sample = kind === 'triples' ? [new Sample(schedulesOfTriple, `${triplesSeed} ${names}`)] : [];
  return resultOf(kind, names, await explore(stage, operations, ...sample));
}

const resultOf = (
  kind: Group['kind'],
  names: string,
  { schedules, overlapped, findings }: Exploration,
): GroupResult => ({
  kind,
  names,
  schedules,
  overlapped,
  deviations: findings.map(({ accepted, labels, ...deviation }) =>
    accepted === null ? { ...deviation, labels } : deviation,
  ),
});
