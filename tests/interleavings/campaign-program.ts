import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startCampaignServer } from './support/campaign-database.ts';
import { replay, textOf } from './support/replay.ts';
import { runShard, type ShardOptions, type ShardResult } from './support/shard.ts';
import { openStage } from './support/stage.ts';

/**
 * Runs all schedules of all pairs of operations, and then of random triples. `scripts/interleavings.mjs` describes the
 * command.
 */
const { values, positionals } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    shards: { type: 'string', default: '2' },
    only: { type: 'string' },
    atomic: { type: 'boolean', default: false },
    triples: { type: 'string' },
    results: { type: 'string', default: 'interleavings.json' },
  },
  allowPositionals: true,
});
const print = (text: string) => void process.stdout.write(`${text}\n`);

if (process.send) process.once('message', (options) => void runAsShard(options as ShardOptions));
else if (positionals[0] === 'replay') await runReplay(positionals.slice(1));
else await runCampaign();

/** This process runs a part of the campaign, and reports to the process that started it. */
async function runAsShard(options: ShardOptions): Promise<void> {
  const stop = () => process.exit(1);
  process.on('disconnect', stop);
  const result = await runShard(options, (progress) => process.send?.(progress));
  process.send?.(result);
  process.off('disconnect', stop);
  process.disconnect();
}

async function runReplay([operations, schedule, labels]: string[]): Promise<void> {
  if (operations === undefined || schedule === undefined)
    throw new Error('usage: npm run interleavings -- replay "<operation> | <operation>" "A A B" [hash]');
  const server = await startCampaignServer();
  const stage = await openStage(await server.createDatabase('replay'), { overlaps: true });
  try {
    const { deviation, text } = await replay(stage, operations, schedule, labels);
    print(text);
    process.exitCode = deviation ? 1 : 0;
  } finally {
    await stage.close();
    await server.stop();
  }
}

async function runCampaign(): Promise<void> {
  const server = await startCampaignServer();
  const shards = Number(values.shards);
  const startedAt = new Date();
  const results: ShardResult[] = [];
  const running = Array.from({ length: shards }, async (_, shard) => {
    const child = fork(fileURLToPath(import.meta.url), { stdio: 'inherit' });
    child.on('message', (progress) => {
      results[shard] = progress as ShardResult;
    });
    child.send({
      url: await server.createDatabase(`shard_${shard}`),
      shard,
      shards,
      minutes: Number(values.minutes),
      only: values.only ?? null,
      overlaps: !values.atomic,
      triplesSeed: values.triples ?? null,
    } satisfies ShardOptions);
    await ended(child);
  });
  const save = () =>
    writeFileSync(values.results, `${JSON.stringify({ startedAt, ...sumOf(results) }, null, 2)}\n`);
  const reporting = setInterval(() => {
    save();
    print(summaryOf(sumOf(results)));
  }, 60_000);
  try {
    await Promise.all(running);
  } finally {
    clearInterval(reporting);
    await server.stop();
  }
  save();
  const sum = sumOf(results);
  for (const finding of sum.findings) print(`\n${textOf(finding)}`);
  print(`\n${summaryOf(sum)}\nresults: ${values.results}`);
  process.exitCode = sum.findings.length === 0 ? 0 : 1;
}

async function ended(child: ChildProcess): Promise<void> {
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`a part of the campaign ended with the exit code ${code}`);
}

function sumOf(all: readonly (ShardResult | undefined)[]): ShardResult {
  const results = all.filter((result) => result !== undefined);
  const total = (count: (result: ShardResult) => number) => results.reduce((sum, one) => sum + count(one), 0);
  const accepted: Record<string, number> = {};
  for (const one of results)
    for (const [kind, count] of Object.entries(one.accepted)) accepted[kind] = (accepted[kind] ?? 0) + count;
  return {
    operations: results[0]?.operations ?? 0,
    allPairs: results[0]?.allPairs ?? 0,
    pairs: total(({ pairs }) => pairs),
    triples: total(({ triples }) => triples),
    schedules: total(({ schedules }) => schedules),
    findings: results.flatMap(({ findings }) => findings),
    accepted,
  };
}

function summaryOf({ operations, allPairs, pairs, triples, schedules, findings }: ShardResult): string {
  return (
    `${operations} operations, ${pairs} of ${allPairs} pairs, ${triples} triples, ${schedules} schedules, ` +
    `${findings.length} findings`
  );
}
