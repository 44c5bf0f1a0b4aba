import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { type FaultName, faultNames } from './faults.ts';

export interface Options {
  faults: FaultName[];
  /** How long the service must work without a failure before the next fault. */
  seconds: number;
  seed: number;
  /** Whether to cause the faults `switchover` and `kill` again behind HAProxy. */
  haproxy: boolean;
  /** Whether PostgreSQL replicates asynchronously, which loses acknowledged mutations. */
  asynchronous: boolean;
  /** Whether to keep the folder with the logs. */
  keep: boolean;
}

export const usage = `Usage: npm run campaign -- failover [options]
  --faults=switchover,kill   the faults to cause: ${faultNames.join(', ')}
  --seconds=10               how long the service must work without a failure before the next fault
  --seed=1                   repeats the random choices of an earlier run
  --no-haproxy               leaves out the second run, behind HAProxy
  --asynchronous             replicates asynchronously, to show which mutations a failover loses
  --keep                     keeps the folder with the logs`;

/** @throws TypeError for an unknown option or value */
export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      faults: { type: 'string', default: faultNames.join(',') },
      seconds: { type: 'string', default: '10' },
      seed: { type: 'string', default: `${randomInt(2 ** 31)}` },
      'no-haproxy': { type: 'boolean', default: false },
      asynchronous: { type: 'boolean', default: false },
      keep: { type: 'boolean', default: false },
    },
  });
  const faults = values.faults.split(',');
  const unknown = faults.filter((fault) => !faultNames.includes(fault as FaultName));
  if (unknown.length > 0)
    throw new TypeError(`Unknown fault: ${unknown.join(', ')}. Available: ${faultNames.join(', ')}`);
  return {
    faults: faults as FaultName[],
    seconds: wholeNumber('seconds', values.seconds),
    seed: wholeNumber('seed', values.seed),
    haproxy: !values['no-haproxy'],
    asynchronous: values.asynchronous,
    keep: values.keep,
  };
}

function wholeNumber(name: string, text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number >= 1) return number;
  throw new TypeError(`--${name} must be a whole number, at least 1. It is "${text}".`);
}
