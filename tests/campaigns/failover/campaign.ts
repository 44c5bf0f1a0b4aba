import { type Clusters, type FaultName, prepareSteps, type Step } from './faults.ts';
import type { Ledger } from './ledger.ts';
import { startLoad } from './load.ts';
import { startProbes } from './probes.ts';
import type { Random } from './random.ts';
import type { TwoServices } from './service.ts';
import { countAcceptedAttempts } from './shared-limits.ts';
import { StepRecord } from './step-record.ts';
import { becomesTrue } from './wait.ts';

/** How long the campaign waits for the service to work again. */
const longestSeconds = 120;

export interface Run {
  /** The name of the run in the table, such as "several hosts". */
  through: string;
  services: TwoServices;
  clusters: Clusters;
  ledger: Ledger;
  random: Random;
  /** How long the service must work without a failure before the next fault. */
  seconds: number;
  onStep(record: StepRecord): void;
}

/** Causes the faults one after the other under load. Returns the record of each step. */
export async function runFaults(run: Run, faults: readonly FaultName[]): Promise<StepRecord[]> {
  const records: StepRecord[] = [];
  // The load begins before the first fault, in a step of its own.
  let current = new StepRecord(`${run.through}: no fault`);
  current.beganAt = performance.now();
  const begin = (name: string) => {
    records.push(current);
    run.onStep(current);
    current = new StepRecord(name);
  };
  const probes = await startProbes(run.services, () => current, run.ledger);
  const load = startLoad(run.services, () => current, run.ledger, run.random);
  try {
    await becomesTrue(() => worksFor(current, run.seconds), longestSeconds);
    current.attemptsAfter = await countAcceptedAttempts(run.services, run.random);
    for (const fault of faults) {
      const steps = await prepareSteps[fault](run.clusters);
      for (const step of steps) {
        begin(`${run.through}: ${step.name}`);
        await runStep(run, step, current);
      }
    }
  } finally {
    await Promise.all([probes.stop(), load.stop()]);
  }
  records.push(current);
  run.onStep(current);
  return records;
}

async function runStep(run: Run, step: Step, record: StepRecord): Promise<void> {
  record.beganAt = performance.now();
  await step.run();
  if (step.affectsLimits) record.attemptsDuring = await countAcceptedAttempts(run.services, run.random);
  await becomesTrue(() => worksFor(record, run.seconds), longestSeconds);
  if (step.repairs) await run.clusters.postgres.untilHealthy();
  record.attemptsAfter = await countAcceptedAttempts(run.services, run.random);
}

/** Whether this many seconds have passed since the fault and since the last failed probe. */
const worksFor = (record: StepRecord, seconds: number): boolean =>
  performance.now() - record.lastFailureAt() >= seconds * 1000;
