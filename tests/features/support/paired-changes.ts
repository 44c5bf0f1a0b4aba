import type { AuthServiceOptions } from 'latchkey';
import { expectNoLoggedErrors } from '../../support/logged-errors.ts';
import { rounds } from '../../support/rounds.ts';
import { startSecondInstance } from '../../support/second-instance.ts';
import type { ServiceOn } from '../../support/service-on.ts';
import type { TestService } from '../../support/test-service.ts';

type Act<Outcome> = (instance: ServiceOn) => Promise<Outcome>;

/** Two instances of the service that can run several changes concurrently. */
export interface Pair {
  /**
   * Sends the requests concurrently. Each request reads its state and then waits before its first change. When all
   * requests wait, they continue: all at once in one meeting, one by one in the next. In two of four consecutive
   * meetings, the request that arrived last continues first. So four consecutive meetings of two requests cover both
   * orders, concurrently and one by one. Retries do not wait.
   *
   * @param processes 1: all requests go to the same instance. 2: the requests go to both instances in turns.
   */
  meet<Outcomes extends unknown[]>(
    processes: 1 | 2,
    ...acts: { [Index in keyof Outcomes]: Act<Outcomes[Index]> }
  ): Promise<Outcomes>;
  close(): Promise<void>;
}

/** Matches every change, because the statement of each change also inserts an audit row. */
const changes = /insert into latchkey\.audit_events/;

export async function startPair(service: TestService, options: AuthServiceOptions = {}): Promise<Pair> {
  let waiting: (() => void)[] = [];
  let expected = 0;
  let meetings = 0;
  const release = () => {
    expected = 0;
    const isOneByOne = meetings % 2 === 1;
    for (const go of waiting.splice(0, isOneByOne ? 1 : waiting.length)) go();
  };
  const hold = async (statement: string) => {
    if (expected === 0 || !changes.test(statement)) return;
    await new Promise<void>((go) => {
      waiting = meetings % 4 < 2 ? [...waiting, go] : [go, ...waiting];
      if (waiting.length === expected) release();
    });
  };
  const first = await startSecondInstance(service, options, hold);
  const second = await startSecondInstance(service, options, hold);
  return {
    async meet<Outcomes extends unknown[]>(
      processes: 1 | 2,
      ...acts: { [Index in keyof Outcomes]: Act<Outcomes[Index]> }
    ) {
      expected = acts.length;
      meetings += 1;
      // The end of a request releases the next one, or all requests. A request that ends without a change never waits,
      // so the others would wait for it forever.
      const sent = acts.map((act, n) =>
        act(processes === 2 && n % 2 === 1 ? second : first).finally(release),
      );
      return (await Promise.all(sent)) as Outcomes;
    },
    close: async () => {
      expectNoLoggedErrors(first, second);
      await first.close();
      await second.close();
    },
  };
}

/**
 * Runs the rounds of a race: even rounds with one instance, odd rounds with two. Some guards matter only if PostgreSQL
 * runs two statements at the same moment, so a race of two changes needs more rounds than a race of many.
 */
export async function alternatingRounds(
  round: (processes: 1 | 2, n: number) => Promise<void>,
  count = Math.max(rounds, 16),
): Promise<void> {
  for (let n = 0; n < count; n += 1) await round(n % 2 === 0 ? 1 : 2, n);
}
