import { setTimeout as sleep } from 'node:timers/promises';
import type { SoftwareAuthenticator } from 'latchkey/testing';
import type { Random } from '../random.ts';
import type { Service, TwoServices } from '../service.ts';
import type { StepRecord } from '../step-record.ts';
import type { Histories } from './histories.ts';

/** What the clients of the histories share. */
export interface Stage {
  readonly services: TwoServices;
  readonly histories: Histories;
  readonly random: Random;
  /** The passkey of a superadmin. */
  readonly superadmin: SoftwareAuthenticator;
  /** Returns the record of the current step. */
  current(): StepRecord;
  hasStopped(): boolean;
}

export const anyService = ({ services, random }: Stage): Service => random.pick(services);

const longestMs = 180_000;

/** Repeats a request with an unknown result until the service answers, for three minutes at most. */
export async function untilAnswered(stage: Stage, ask: () => Promise<unknown>): Promise<void> {
  const deadline = performance.now() + longestMs;
  while ((await ask()) === null && !stage.hasStopped() && performance.now() < deadline)
    await sleep(300 + stage.random.below(400));
}
