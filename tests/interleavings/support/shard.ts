import { performance } from 'node:perf_hooks';
import { isAccepted } from '../accepted.ts';
import { explore, type Finding } from './explore.ts';
import { allPairs, triples } from './plan.ts';
import { openStage } from './stage.ts';

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
}

/** What a part of a campaign has done. */
export interface ShardResult {
  operations: number;
  /** How many groups there are, without triples. */
  allPairs: number;
  pairs: number;
  triples: number;
  schedules: number;
  /** Deviations without an entry in `accepted.ts`. */
  findings: Finding[];
  /** How many pairs and triples have an accepted deviation, by kind. */
  accepted: Record<string, number>;
}

/** Runs a part of a campaign. @param onProgress called after each group */
export async function runShard(
  { url, shard, shards, minutes, only, overlaps, triplesSeed }: ShardOptions,
  onProgress: (result: ShardResult) => void,
): Promise<ShardResult> {
  const stage = await openStage(url, { overlaps });
  const until = performance.now() + minutes * 60_000;
  const pairs = allPairs(stage.operations).filter(
    (group) => only === null || group.some(({ name }) => name.includes(only)),
  );
  const result: ShardResult = {
    operations: stage.operations.length,
    allPairs: pairs.length,
    pairs: 0,
    triples: 0,
    schedules: 0,
    findings: [],
    accepted: {},
  };
  const groups = function* () {
    yield* pairs;
    if (triplesSeed !== null) yield* triples(stage.operations, triplesSeed);
  };
  let n = 0;
  for (const group of groups()) {
    if (performance.now() > until) break;
    n += 1;
    if (n % shards !== shard) continue;
    const { schedules, findings } = await explore(stage, group);
    result.schedules += schedules;
    if (group.length === 2) result.pairs += 1;
    else result.triples += 1;
    for (const finding of findings) {
      if (isAccepted(finding)) result.accepted[finding.kind] = (result.accepted[finding.kind] ?? 0) + 1;
      else result.findings.push(finding);
    }
    onProgress(result);
  }
  await stage.close();
  return result;
}
