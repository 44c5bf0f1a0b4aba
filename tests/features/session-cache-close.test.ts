import postgres from 'postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildChildProgram, type ChildProgram } from '../support/child-program.ts';
import { eventually } from '../support/eventually.ts';
import { holdTimeouts } from '../support/held-timeouts.ts';
import { signUp } from '../support/person.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';
import { secret } from '../support/test-service.ts';
import { tokenOf } from './support/current-session.ts';
import { databaseOn, listeningBackends, probeMs, startRemembering } from './support/remembering.ts';

holdTimeouts(probeMs);

let database: TestDatabase;
let program: ChildProgram;
beforeAll(async () => {
  database = await createTestDatabase();
  program = await buildChildProgram('tests/features/support/closing-program.ts');
});
afterAll(async () => {
  program.remove();
  await database.drop();
});

const untilNoListener = () => eventually(async () => (await listeningBackends(database.sql)).length === 0);

test('a process ends by itself after it closes the service', async () => {
  const service = await startRemembering(database.url);
  const { browser } = await signUp(service);
  await service.close();
  const [child] = await program.runAtOnce(1, { args: [database.url, tokenOf(browser), secret] });
  expect(child).toEqual({ answer: 200, errors: '' });
  await untilNoListener();
});

test.each(['before the first check', 'while it starts to listen', 'while it listens'])(
  'a service that was closed %s does not listen, even if checks follow',
  async (when) => {
    const client = postgres(database.url, { fetch_types: false, onnotice: () => {} });
    const { query, listen } = databaseOn(client);
    let connections = 0;
    const countingListen: typeof listen = (channel, subscriber) => {
      connections += 1;
      return listen(channel, subscriber);
    };
    const service = await startRemembering({ query, listen: countingListen });
    const { browser } = await signUp(service);
    const checking = when === 'while it starts to listen' ? service.check(browser) : null;
    if (checking) await eventually(() => service.begun() === 1);
    if (when === 'while it listens') await service.untilRemembered(browser);
    const before = connections;
    await service.auth.close();
    await checking;
    // Requests that are still running can check sessions after the service was closed.
    const reads = service.reads();
    for (let n = 0; n < 2; n += 1) expect((await service.check(browser)).status).toBe(200);
    expect([connections, service.reads(), service.logged]).toEqual([before, reads + 2, []]);
    await service.close();
    await client.end();
  },
);

test('closing a service twice has the same effect as closing it once', async () => {
  const service = await startRemembering(database.url);
  await service.untilRemembered((await signUp(service)).browser);
  await Promise.all([service.auth.close(), service.auth.close()]);
  await service.close();
  expect(service.logged).toEqual([]);
});
