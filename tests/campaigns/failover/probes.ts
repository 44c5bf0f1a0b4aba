import { setTimeout as sleep } from 'node:timers/promises';
import type { Ledger } from './ledger.ts';
import { type Load, newUsername } from './load.ts';
import type { Service, TwoServices } from './service.ts';
import type { ProbeKind, StepRecord } from './step-record.ts';
import { ask, newAuthenticator, signUp } from './visits.ts';

/**
 * How often each probe starts. A probe starts even if the previous probe still runs, because that probe can
 * hang.
 */
const intervalMs: Record<ProbeKind, number> = { read: 100, mutation: 250, readiness: 250, limits: 250 };

/** Repeats a read, a mutation and two checks of the state on each process, and records whether they succeed. */
export async function startProbes(
  services: TwoServices,
  current: () => StepRecord,
  ledger: Ledger,
): Promise<Load> {
  let stopped = false;
  const running = new Set<Promise<void>>();

  async function probe(kind: ProbeKind, succeeds: () => Promise<boolean>): Promise<void> {
    const beganAt = performance.now();
    const succeeded = await succeeds();
    // A probe that was running when a fault began belongs to the fault.
    current().probes[kind].push({ beganAt, endedAt: performance.now(), succeeded });
  }

  async function repeat(kind: ProbeKind, succeeds: () => Promise<boolean>): Promise<void> {
    while (!stopped) {
      const probing = probe(kind, succeeds).finally(() => running.delete(probing));
      running.add(probing);
      await sleep(intervalMs[kind]);
    }
  }

  async function probesOf(service: Service): Promise<Promise<void>[]> {
    const authenticator = newAuthenticator();
    const browser = service.browser();
    const mutate = async (from = service.browser()) => {
      const opened = await signUp(current, from, authenticator, newUsername('probe'));
      if (opened) ledger.add(current(), 'sign-up', opened);
      return opened !== null;
    };
    if (!(await mutate(browser))) throw new Error(`the sign-up on ${service.name} failed`);
    const isOk = async (path: string) =>
      (await browser.get(path).catch(() => ({ status: 0 }))).status === 200;
    return [
      repeat('read', async () => (await ask(current, [200], () => browser.get('/uncached'))) !== null),
      repeat('mutation', () => mutate()),
      // These two report the state of the service, so 503 is not a failed request.
      repeat('readiness', () => isOk('/readyz')),
      repeat('limits', () => isOk('/limits-shared')),
    ];
  }

  const loops = (await Promise.all(services.map(probesOf))).flat();
  return {
    async stop() {
      stopped = true;
      await Promise.all(loops);
      await Promise.all(running);
    },
  };
}
