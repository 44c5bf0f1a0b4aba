import { setTimeout as sleep } from 'node:timers/promises';
import type { TestAgent } from '../../support/agent.ts';
import type { Ledger } from './ledger.ts';
import type { Random } from './random.ts';
import type { TwoServices } from './service.ts';
import type { StepRecord } from './step-record.ts';
import { ask, logIn, newAuthenticator, signUp } from './visits.ts';

export interface Load {
  stop(): Promise<void>;
}

const clients = 3;
const longestPauseMs = 400;
/** How long a client waits until the other process rejects an ended session. */
const longestWatchMs = 15_000;

let users = 0;
/** Returns a username that the run has not used. */
export const newUsername = (stem: string): string => `${stem}-${++users}`;

/** @param current returns the record of the current step */
export function startLoad(
  services: TwoServices,
  current: () => StepRecord,
  ledger: Ledger,
  random: Random,
): Load {
  let stopped = false;

  /**
   * Signs a user up, signs the user in on the other process, uses the first session on both processes, and
   * ends it. Returns early if the sign-up or the sign-out fails.
   */
  async function visit(): Promise<void> {
    const [first, second] = random.pick([services, [services[1], services[0]] as const]);
    const authenticator = newAuthenticator();
    const browser = first.browser();
    const signedUp = await signUp(current, browser, authenticator, newUsername('load'));
    if (!signedUp) return;
    ledger.add(current(), 'sign-up', signedUp);
    const loggedIn = await logIn(current, second.browser(), authenticator);
    if (loggedIn) ledger.add(current(), 'login', loggedIn);
    // The requests to `/cached` put the session into the cache of both processes.
    const copy = second.browser(browser.cookies);
    for (const each of [browser, copy]) await ask(current, [200], () => each.get('/cached'));
    await ask(current, [200], () => copy.get('/uncached'));
    if (!(await ask(current, [204], () => browser.delete('/auth/session')))) return;
    ledger.add(current(), 'logout', signedUp);
    await watchEnd(current(), copy);
  }

  /** Sends requests to the other process until it rejects the session. */
  async function watchEnd(step: StepRecord, copy: TestAgent): Promise<void> {
    const endedAt = performance.now();
    step.revocations += 1;
    for (;;) {
      const sentMs = performance.now() - endedAt;
      const answer = await ask(current, [200, 401], () => copy.get('/cached'));
      if (answer?.status === 200) step.acceptedLateMs = Math.max(step.acceptedLateMs, sentMs);
      if (answer?.status === 401 || stopped || sentMs > longestWatchMs) return;
      await sleep(20);
    }
  }

  async function run(): Promise<void> {
    while (!stopped) {
      await visit();
      await sleep(random.below(longestPauseMs));
    }
  }

  const running = Promise.all(Array.from({ length: clients }, run));
  return {
    async stop() {
      stopped = true;
      await running;
    },
  };
}
