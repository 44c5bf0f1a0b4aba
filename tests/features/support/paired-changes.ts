import type { AuthServiceOptions } from 'latchkey';
import { expectNoLoggedErrors } from '../../support/logged-errors.ts';
import { startSecondInstance } from '../../support/second-instance.ts';
import type { ServiceOn } from '../../support/service-on.ts';
import type { TestService } from '../../support/test-service.ts';

type Act<Outcome> = (instance: ServiceOn) => Promise<Outcome>;

/** Two instances of the service that can run two changes concurrently. */
export interface Pair {
  /**
   * Sends two requests concurrently. Each request reads its state and then waits before its first change. When both
   * wait, both continue. Retries do not wait.
   *
   * @param processes 1: both requests go to the same instance
   */
  meet<One, Other>(processes: 1 | 2, one: Act<One>, other: Act<Other>): Promise<[One, Other]>;
  close(): Promise<void>;
}

/** Matches every change, because the statement of each change also inserts an audit row. */
const changes = /insert into latchkey\.audit_events/;

export async function startPair(service: TestService, options: AuthServiceOptions = {}): Promise<Pair> {
  let waiting: (() => void)[] = [];
  let isOpen = true;
  const open = () => {
    isOpen = true;
    for (const go of waiting) go();
    waiting = [];
  };
  const hold = async (statement: string) => {
    if (isOpen || !changes.test(statement)) return;
    await new Promise<void>((go) => {
      waiting.push(go);
      if (waiting.length === 2) open();
    });
  };
  const first = await startSecondInstance(service, options, hold);
  const second = await startSecondInstance(service, options, hold);
  return {
    async meet(processes, one, other) {
      isOpen = false;
      // If one request ends without a change, the other must not wait for it.
      return Promise.all([one(first).finally(open), other(processes === 1 ? first : second).finally(open)]);
    },
    close: async () => {
      expectNoLoggedErrors(first, second);
      await first.close();
      await second.close();
    },
  };
}

/** Runs sixteen rounds: even rounds with one instance, odd rounds with two. */
export async function alternatingRounds(
  round: (processes: 1 | 2, n: number) => Promise<void>,
): Promise<void> {
  for (let n = 0; n < 16; n += 1) await round(n % 2 === 0 ? 1 : 2, n);
}
