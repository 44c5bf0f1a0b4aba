import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { runCampaign } from './support/campaign.ts';
import { startCampaignServer } from './support/campaign-database.ts';
import { isSituation } from './support/explore-caches.ts';
import { type MutantTask, runMutants, tryGroups } from './support/mutant-run.ts';
import { replay, replayCaches } from './support/replay.ts';
import { runShard, type ShardOptions } from './support/shard.ts';
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
    triples: { type: 'string', default: '0' },
    seed: { type: 'string', default: '1' },
    results: { type: 'string' },
    resume: { type: 'boolean', default: false },
    mutants: { type: 'boolean', default: false },
    'without-superadmins': { type: 'boolean', default: false },
  },
  allowPositionals: true,
});

if (process.send) process.once('message', (task) => void runTask(task as Task));
else if (positionals[0] === 'replay') await runReplay(positionals.slice(1));
else if (values.mutants) process.exitCode = await runMutants(positionals, Number(values.shards));
else
  process.exitCode = await runCampaign({
    program: fileURLToPath(import.meta.url),
    minutes: Number(values.minutes),
    shards: Number(values.shards),
    only: values.only ?? null,
    overlaps: !values.atomic,
    triplesSeed: values.triples === '0' ? null : values.seed,
    triples: Number(values.triples),
    results: values.results ?? null,
    resume: values.resume,
  });

type Task = { shard: ShardOptions } | { mutant: MutantTask };

/** This process runs a part of the campaign, and reports to the process that started it. */
async function runTask(task: Task): Promise<void> {
  const stop = () => process.exit(1);
  process.on('disconnect', stop);
  const report = (result: object) => void process.send?.(result);
  if ('shard' in task) {
    let isStopped = false;
    process.on('message', () => {
      isStopped = true;
    });
    // On Ctrl-C, the terminal sends SIGINT to this process, too.
    process.on('SIGINT', () => {});
    await runShard(task.shard, report, () => isStopped);
  }
  if ('mutant' in task) report(await tryGroups(task.mutant));
  process.off('disconnect', stop);
  process.disconnect();
}

async function runReplay([operations, schedule, labels]: string[]): Promise<void> {
  if (operations === undefined || schedule === undefined)
    throw new Error('usage: npm run interleavings -- replay "<operation> | <operation>" "A A B" [hash]');
  const server = await startCampaignServer();
  const stage = await openStage(await server.createDatabase('replay'), {
    overlaps: true,
    superadmins: !values['without-superadmins'],
  });
  try {
    const { deviation, text } = isSituation(schedule)
      ? await replayCaches(stage, operations, schedule)
      : await replay(stage, operations, schedule, labels);
    process.stdout.write(`${text}\n`);
    process.exitCode = deviation ? 1 : 0;
  } finally {
    await stage.close();
    await server.stop();
  }
}
