import { performance } from 'node:perf_hooks';
import { acceptedReason } from '../accepted.ts';
import { type Exploration, explore, type Finding } from './explore.ts';
import { exploreFaults } from './explore-faults.ts';
import type { Operation } from './operation.ts';
import { allPairs, triples } from './plan.ts';
import { Sample } from './schedules.ts';
import { type OpenStage, openStage } from './stage.ts';

export interface ShardOptions {
  /** The URL of a migrated database. */
  url: string;
  /** This shard takes every `shards`-th group, starting with this one. */
  shard: number;
  shards: number;
  minutes: number;
  /** Part of the names of the operations. Null: all operations. */
  only: string | null;
  overlaps: boolean;
  /** The seed of the triples, which run after the pairs. Null: only pairs. */
  triplesSeed: string | null;
  /** What an earlier run of this shard has done. Null: nothing. */
  earlier: ShardResult | null;
}

/** What a part of a campaign has done. */
export interface ShardResult {
  operations: number;
  /** How many pairs there are. */
  allPairs: number;
  /** How many groups this shard and the others have passed, in the order of the plan. A later run continues there. */
  position: number;
  pairs: number;
  chains: number;
  triples: number;
  faults: number;
  schedules: number;
  /** How many of the schedules have overlapping statements. */
  overlapped: number;
  /** Deviations without an entry in `accepted.ts`. */
  findings: (Omit<Finding, 'accepted' | 'labels'> & { labels?: string[] })[];
  /** How many groups have an accepted deviation, by reason. */
  acceptedByReason: Record<string, number>;
}

/** How many schedules of a triple run. A triple has hundreds of schedules. */
const schedulesOfTriple = 30;

type Group =
  | { kind: 'pairs' | 'chains' | 'triples'; operations: readonly Operation[] }
  | { kind: 'faults'; operation: Operation };

/** All pairs, then each chain with each operation, then faults, then triples until the time is over. */
function* planOf({ operations, chains }: OpenStage, { only, triplesSeed }: ShardOptions): Generator<Group> {
  const isChosen = ({ name }: Operation) => only === null || name.includes(only);
  for (const pair of allPairs(operations)) if (pair.some(isChosen)) yield { kind: 'pairs', operations: pair };
  for (const operation of operations) if (isChosen(operation)) yield { kind: 'faults', operation };
  for (const other of operations)
    for (const chain of chains)
      if ([...chain, other].some(isChosen)) yield { kind: 'chains', operations: [...chain, other] };
  if (triplesSeed === null) return;
  for (const triple of triples(operations, triplesSeed)) yield { kind: 'triples', operations: triple };
}

/** Runs a part of a campaign. @param onProgress called after each group */
export async function runShard(
  options: ShardOptions,
  onProgress: (result: ShardResult) => void,
): Promise<ShardResult> {
  const { url, shard, shards, minutes, only, overlaps, earlier } = options;
  const stage = await openStage(url, { overlaps });
  const until = performance.now() + minutes * 60_000;
  const isChosen = ({ name }: Operation) => only === null || name.includes(only);
  const counts = {
    operations: stage.operations.length,
    allPairs: allPairs(stage.operations).filter((pair) => pair.some(isChosen)).length,
  };
  const result = { ...(earlier ? continued(earlier) : nothing()), ...counts };
  if (earlier && earlier.allPairs !== counts.allPairs)
    throw new Error('the operations have changed since the earlier run: run without --resume');
  let n = 0;
  for (const group of planOf(stage, options)) {
    if (performance.now() > until) break;
    n += 1;
    if (n <= result.position) continue;
    result.position = n;
    if (n % shards !== shard) continue;
    if (group.kind === 'faults') {
      const { faults, findings } = await exploreFaults(stage, group.operation);
      result.faults += faults;
      result.findings.push(...findings);
    } else {
      const sample =
        group.kind === 'triples' ? [new Sample(schedulesOfTriple, `${options.triplesSeed} ${n}`)] : [];
      addTo(result, await explore(stage, group.operations, ...sample));
      result[group.kind] += 1;
    }
    onProgress(result);
  }
  await stage.close();
  return result;
}

const nothing = (): Omit<ShardResult, 'operations' | 'allPairs'> => ({
  position: 0,
  pairs: 0,
  chains: 0,
  triples: 0,
  faults: 0,
  schedules: 0,
  overlapped: 0,
  findings: [],
  acceptedByReason: {},
});

function addTo(result: ShardResult, { schedules, overlapped, findings }: Exploration): void {
  result.schedules += schedules;
  result.overlapped += overlapped;
  for (const finding of findings) {
    if (finding.accepted === null) result.findings.push(finding);
    else count(result.acceptedByReason, finding.accepted);
  }
}

/** `accepted.ts` can have new entries since the earlier run. */
function continued(earlier: ShardResult): ShardResult {
  const result: ShardResult = { ...earlier, acceptedByReason: { ...earlier.acceptedByReason }, findings: [] };
  for (const finding of earlier.findings) {
    const reason = acceptedReason(finding);
    if (reason === null) result.findings.push(finding);
    else count(result.acceptedByReason, reason);
  }
  return result;
}

function count(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1;
}
