import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openFiles } from '../../examples/server/files/store.ts';
import { times, together } from '../support/many-requests.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';
import { type DatabaseProxy, startDatabaseProxy } from './support/database-proxy.ts';

const owner = { id: crypto.randomUUID(), username: 'ada' };

let database: TestDatabase;
let proxy: DatabaseProxy;
beforeAll(async () => {
  database = await createTestDatabase();
  proxy = await startDatabaseProxy(database.url);
});
afterAll(async () => {
  await proxy.close();
  await database.drop();
});

test('the file store of the example server throws 503 while the database hangs, and works on new connections while old connections still hang', async () => {
  const files = await openFiles(proxy.url);
  await files.create({ name: 'Plan', content: 'Leave early.' }, owner, null);
  proxy.hang();
  // More than the connections of the pool.
  const answers = await Promise.allSettled(times(8, () => files.list(owner.id, [])).map((list) => list()));
  for (const answer of answers)
    expect(answer).toMatchObject({ status: 'rejected', reason: { status: 503, code: 'unavailable' } });
  proxy.forget();
  expect(await files.list(owner.id, [])).toMatchObject([{ name: 'Plan' }]);
  await files.close();
});

test('a request that starts while another waits for the hanging database also gets 503', async () => {
  const files = await openFiles(proxy.url);
  await files.list(owner.id, []);
  proxy.hang();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const first = files.list(owner.id, []);
    vi.advanceTimersByTime(1000);
    const second = files.list(owner.id, []);
    vi.advanceTimersByTime(3000);
    for (const answer of await Promise.allSettled([first, second]))
      expect(answer).toMatchObject({ status: 'rejected', reason: { status: 503, code: 'unavailable' } });
  } finally {
    vi.useRealTimers();
    proxy.forget();
    await files.close();
  }
});

test('eight example servers can create the schema of the files at the same time', async () => {
  for (let round = 0; round < 5; round += 1) {
    await database.sql`drop schema if exists example_files cascade`;
    const servers = await together(times(8, () => openFiles(database.url)));
    for (const files of servers) expect(await files.list(owner.id, [])).toEqual([]);
    await Promise.all(servers.map((files) => files.close()));
  }
});
