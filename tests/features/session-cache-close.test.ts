import postgres from 'postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildChildProgram, type ChildProgram } from '../support/child-program.ts';
import { eventually } from '../support/eventually.ts';
import { signUp } from '../support/person.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';
import { secret } from '../support/test-service.ts';
import { tokenOf } from './support/current-session.ts';
import { databaseOn, listeningBackends, startRemembering } from './support/remembering.ts';

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

const nobodyListens = () => eventually(async () => (await listeningBackends(database.sql)).length === 0);

test('a process that has closed its service ends by itself', async () => {
  const service = await startRemembering(database.url);
  const { browser } = await signUp(service);
  await service.close();
  const [child] = await program.runAtOnce(1, { args: [database.url, tokenOf(browser), secret] });
  expect(child).toEqual({ answer: 200, errors: '' });
  await nobodyListens();
});

test.each(['before the first check', 'while it begins to listen', 'while it listens'])(
  'closing %s leaves nobody listening, whatever is checked afterwards',
  async (when) => {
    const client = postgres(database.url, { fetch_types: false, onnotice: () => {} });
    const { query, listen } = databaseOn(client);
    let connections = 0;
    const listening: typeof listen = (channel, ear) => {
      connections += 1;
      return listen(channel, ear);
    };
    const service = await startRemembering({ query, listen: listening });
    const { browser } = await signUp(service);
    const checking = when === 'while it begins to listen' ? service.check(browser) : null;
    if (checking) await eventually(() => service.begun() === 1);
    if (when === 'while it listens') await service.untilRemembered(browser);
    const before = connections;
    await service.auth.close();
    await checking;
    // By requests that came in before and take their time.
    const reads = service.reads();
    for (let n = 0; n < 2; n += 1) expect((await service.check(browser)).status).toBe(200);
    expect([connections, service.reads(), service.logged]).toEqual([before, reads + 2, []]);
    await service.close();
    await client.end();
  },
);

test('closing twice is closing once', async () => {
  const service = await startRemembering(database.url);
  await service.untilRemembered((await signUp(service)).browser);
  await Promise.all([service.auth.close(), service.auth.close()]);
  await service.close();
  expect(service.logged).toEqual([]);
});
