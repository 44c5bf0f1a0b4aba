import { mkdtempSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { conclude } from './conclude.ts';
import { type Options, readOptions, usage } from './options.ts';
import { nextNumber, Recording, readRecording } from './recording.ts';
import { runCampaign } from './run-campaign.ts';
import { runRounds } from './run-rounds.ts';

/**
 * Breaks PostgreSQL and Redis while an application is under load, and prints what the application notices.
 */

const print = (text: string) => void process.stdout.write(`${text}\n`);

/** Where the run records its rounds, and how many rounds are missing there. */
interface Plan {
  readonly folder: string;
  /** The number of the run in the folder. */
  readonly number: number;
  readonly rounds: number;
}

/** @throws TypeError if the folder contains another recording */
function planOf({ record, rounds, resume, asynchronous }: Options): Plan {
  const folder = record ?? mkdtempSync(join(tmpdir(), 'failover-recording-'));
  const [runs, number] = [readRecording(folder), nextNumber(folder)];
  if (!resume && number > 1)
    throw new TypeError(`${folder} already contains a recording. Add --resume, or choose another folder.`);
  if (runs.some(({ settings }) => settings.asynchronous !== asynchronous))
    throw new TypeError(`--asynchronous must be as in the recording in ${folder}.`);
  return { folder, number, rounds: rounds - runs.reduce((total, run) => total + run.rounds, 0) };
}

async function run(options: Options, { folder, number, rounds }: Plan): Promise<number> {
  // Another run with the same seed would repeat the same choices.
  const own = { ...options, rounds, seed: options.seed + number - 1 };
  print(`seed ${own.seed}, ${availableParallelism()} cores, recording in ${folder}`);
  const wanted = ['postgres', 'patroni', 'etcd', 'redis-server'] as const;
  const programs = options.haproxy ? ([...wanted, 'haproxy'] as const) : wanted;
  let isSkipped = true;
  const code = await runCampaign(programs, options.keep, async (workspace, found) => {
    isSkipped = false;
    await runRounds(workspace, found, own, new Recording(folder, number), print);
    return true;
  });
  if (isSkipped) return code;
  // After an error or a signal, the completed rounds still count.
  const passed = await conclude(folder, print);
  return code === 0 && !passed ? 1 : code;
}

let options: Options;
let plan: Plan | null;
try {
  options = readOptions(process.argv.slice(2));
  plan = options.check === undefined ? planOf(options) : null;
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n${usage}\n`);
  process.exit(2);
}
process.exit(plan ? await run(options, plan) : (await conclude(options.check ?? '', print)) ? 0 : 1);
