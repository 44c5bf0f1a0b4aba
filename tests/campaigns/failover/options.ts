import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { type FaultName, faultNames } from './faults.ts';

export interface Options {
  faults: readonly FaultName[];
  /** Whether the faults are all faults, so that the results replace those of the last run. */
  isComplete: boolean;
  /** How often to cause each fault. */
  rounds: number;
  /** How long the service must work without a failure before the next fault. */
  seconds: number;
  seed: number;
  /** Whether to cause some of the faults again behind HAProxy. */
  haproxy: boolean;
  /** Whether PostgreSQL replicates asynchronously, which loses acknowledged mutations. */
  asynchronous: boolean;
  /** Whether to keep the folder with the logs. */
  keep: boolean;
  /** The folder for the recording. Undefined: a new folder. */
  record: string | undefined;
  /** Whether to add the missing rounds to the recording. */
  resume: boolean;
  /** The folder with a recording to check, without a run. */
  check: string | undefined;
}

export const usage = `Usage: npm run campaign -- failover [options]
  --only=switchover,kill     the faults to cause, of these: ${faultNames.join(', ')}
  --rounds=1                 how often to cause each fault
  --seconds=10               how long the service must work without a failure before the next fault
  --seed=1                   repeats the random choices of an earlier run
  --no-haproxy               leaves out the part of each round behind HAProxy
  --asynchronous             replicates asynchronously, to show which mutations a failover loses
  --keep                     keeps the folder with the logs
  --record=FOLDER            records the results and the histories of each round there. The default is a new folder
  --resume                   adds the missing rounds to the recording of an earlier run
  --check=FOLDER             checks a recording again, and writes its results`;

/** @throws TypeError for an unknown option or value */
export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string', default: faultNames.join(',') },
      rounds: { type: 'string', default: '1' },
      seconds: { type: 'string', default: '10' },
      seed: { type: 'string', default: `${randomInt(2 ** 31)}` },
      'no-haproxy': { type: 'boolean', default: false },
      asynchronous: { type: 'boolean', default: false },
      keep: { type: 'boolean', default: false },
      record: { type: 'string' },
      resume: { type: 'boolean', default: false },
      check: { type: 'string' },
    },
  });
  if (values.resume && values.record === undefined)
    throw new TypeError('--resume needs the folder of the recording: --record=FOLDER');
  const wanted = values.only.split(',');
  const unknown = wanted.filter((fault) => !faultNames.includes(fault as FaultName));
  if (unknown.length > 0)
    throw new TypeError(`Unknown fault: ${unknown.join(', ')}. Available: ${faultNames.join(', ')}`);
  const faults = faultNames.filter((fault) => wanted.includes(fault));
  return {
    faults,
    isComplete: faults.length === faultNames.length && !values['no-haproxy'],
    rounds: wholeNumber('rounds', values.rounds),
    // A request can take four seconds, so a probe that fails is noticed after four seconds.
    seconds: wholeNumber('seconds', values.seconds, 5),
    seed: wholeNumber('seed', values.seed),
    haproxy: !values['no-haproxy'],
    asynchronous: values.asynchronous,
    keep: values.keep,
    record: values.record,
    resume: values.resume,
    check: values.check,
  };
}

function wholeNumber(name: string, text: string, least = 1): number {
  const number = Number(text);
  if (Number.isInteger(number) && number >= least) return number;
  throw new TypeError(`--${name} must be a whole number, at least ${least}. It is "${text}".`);
}
