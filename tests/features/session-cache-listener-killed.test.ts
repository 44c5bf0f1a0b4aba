import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { holdTimeouts } from '../support/held-timeouts.ts';
import { statuses, together } from '../support/many-requests.ts';
import { signUp } from '../support/person.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';
import { stopCacheExpiry } from './support/lasting-cache.ts';
import {
  listeningBackends,
  probeMs,
  type RememberingService,
  startRemembering,
} from './support/remembering.ts';

holdTimeouts(probeMs);

const clock = stopCacheExpiry();
let database: TestDatabase;
let service: RememberingService;
/** Another process. It caches no sessions, because the tests send no checks to it. */
let neighbor: RememberingService;
beforeAll(async () => {
  database = await createTestDatabase();
  service = await startRemembering(database.url, { clock });
  neighbor = await startRemembering(database.url, { clock });
});
beforeEach(() => {
  service.logged.length = 0;
});
afterAll(async () => {
  await neighbor.close();
  await service.close();
  await database.drop();
});

/** Terminates the listening backend and waits until its process has ended. */
async function killListener(): Promise<void> {
  for (const pid of await listeningBackends(database.sql)) {
    await database.sql`select pg_terminate_backend(${pid}::int)`;
    // A backend disappears from pg_stat_activity before its connection is closed. So `isGone` asks the operating
    // system.
    await eventually(() => isGone(pid));
  }
}

function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as { code?: string }).code === 'ESRCH';
  }
}

const rounds = Array.from({ length: 15 }, (_, round) => round);

test('if the listening connection is terminated just before a session ends in another process, the next check rejects the session', async () => {
  let refused = 0;
  for (const _ of rounds) {
    const { browser } = await signUp(neighbor);
    const remembered = browser.copy();
    await service.untilRemembered(remembered);
    await killListener();
    expect((await browser.delete('/auth/session')).status).toBe(204);
    if ((await service.check(remembered)).status === 401) refused += 1;
  }
  expect(refused).toBe(rounds.length);
});

test('concurrent checks reject the ended session as soon as the process notices that the listening connection is closed', async () => {
  for (const _ of rounds) {
    service.logged.length = 0;
    const { browser } = await signUp(neighbor);
    const remembered = browser.copy();
    await service.untilRemembered(remembered);
    const check = () => service.check(remembered);
    const checks = Array.from({ length: 20 }, () => check);
    await Promise.all([killListener(), browser.delete('/auth/session'), together(checks)]);
    // The process logs a warning when it notices that the connection is closed.
    await eventually(() => service.logged.some(({ level }) => level === 'warn'));
    expect(new Set(statuses(await together(checks)))).toEqual(new Set([401]));
  }
});

test('each outage of the listening connection logs one warning at its start and one message at its end, and then sessions are cached again', async () => {
  const { browser } = await signUp(neighbor);
  await service.untilRemembered(browser);
  service.logged.length = 0;
  for (const outage of [1, 2]) {
    await killListener();
    await eventually(() => service.logged.length === 2 * outage);
    await service.untilRemembered(browser);
  }
  const channel = 'latchkey_sessions';
  const outage = [
    {
      level: 'warn',
      fields: { channel },
      message: 'the connection for session changes was lost, so each session check reads the database',
    },
    { level: 'info', fields: { channel }, message: 'listening for session changes again' },
  ];
  expect(service.logged).toEqual([...outage, ...outage]);
  expect(await listeningBackends(database.sql)).toHaveLength(1);
});
