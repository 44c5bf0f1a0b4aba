import type { SoftwareAuthenticator } from 'latchkey/testing';
import { type Clusters, type FaultName, prepareSteps, type Step } from './faults.ts';
import type { Histories } from './histories/histories.ts';
import { startHistories } from './histories/start.ts';
import type { Ledger } from './ledger.ts';
import { startLoad } from './load.ts';
import { startProbes } from './probes.ts';
import type { Random } from './random.ts';
import { allowedAttempts, countAcceptedAttempts } from './shared-limits.ts';
import { probeKinds, StepRecord } from './step-record.ts';
import { becomesTrue } from './wait.ts';

/** How long the campaign waits for the service to work again. */
const longestSeconds = 120;

export interface Run {
  /** The name of the run in the table, such as "several hosts". */
  through: string;
  clusters: Clusters;
  ledger: Ledger;
  histories: Histories;
  /** The passkey of a superadmin. */
  superadmin: SoftwareAuthenticator;
  random: Random;
  /** How long the service must work without a failure before the next fault. */
  seconds: number;
  /** Called with the record of each step. */
  onStep(record: StepRecord): void;
}

/** Causes each fault once, one after the other, under load. */
export async function runFaults(run: Run, faults: readonly FaultName[]): Promise<void> {
  const { services } = run.clusters;
  // The load begins before the first fault, in a step of its own.
  let record = new StepRecord(`${run.through}: no fault`, false);
  record.beganAt = performance.now();
  const current = () => record;
  const probes = await startProbes(services, current, run.ledger);
  const load = startLoad(services, current, run.ledger, run.random);
  const histories = startHistories({ ...run, services, current });
  try {
    await becomesTrue(() => worksFor(record, run.seconds), longestSeconds);
    await countAttemptsAfter(run, record);
    for (const fault of faults)
      for (const step of await prepareSteps[fault](run.clusters)) {
        run.onStep(record);
        record = new StepRecord(`${run.through}: ${step.name}`, step.endsProcess ?? false);
        await runStep(run, step, record);
      }
  } finally {
    await Promise.all([probes.stop(), load.stop(), histories.stop()]);
  }
  run.onStep(record);
}

async function runStep(run: Run, step: Step, record: StepRecord): Promise<void> {
  const { services, postgres } = run.clusters;
  record.beganAt = performance.now();
  await step.run();
  if (step.affectsLimits) record.attemptsDuring = await countAcceptedAttempts(services, run.random);
  await becomesTrue(() => worksFor(record, run.seconds), longestSeconds);
  if (step.repairs) await postgres.untilHealthy();
  await countAttemptsAfter(run, record);
  await becomesTrue(() => probeKinds.every((kind) => record.secondsUntil(kind) !== null), longestSeconds);
}

/** Counts again after too many attempts: on a busy machine, a process counts alone for a second if Redis is slow. */
async function countAttemptsAfter(run: Run, record: StepRecord): Promise<void> {
  for (
    let attempt = 0;
    attempt < 3 && (record.attemptsAfter ?? Number.POSITIVE_INFINITY) > allowedAttempts;
    attempt += 1
  )
    record.attemptsAfter = await countAcceptedAttempts(run.clusters.services, run.random);
}

/** Whether this many seconds have passed since the fault and since the last failed probe. */
const worksFor = (record: StepRecord, seconds: number): boolean =>
  performance.now() - record.lastFailureAt() >= seconds * 1000;
