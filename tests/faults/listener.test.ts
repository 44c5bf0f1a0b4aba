import pg from 'pg';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  listeningBackends,
  type RememberingService,
  startChecking,
  startRemembering,
} from '../features/support/remembering.ts';
import { eventually } from '../support/eventually.ts';
import { type Person, signUp } from '../support/person.ts';
import { type DatabaseProxy, startDatabaseProxy } from './support/database-proxy.ts';
import { type OwnPostgres, startOwnPostgres } from './support/own-postgres.ts';

let server: OwnPostgres;
// PostgreSQL may restart on another port, so the service connects through a proxy.
let proxy: DatabaseProxy;
beforeAll(async () => {
  server = await startOwnPostgres();
  proxy = await startDatabaseProxy(server.url());
});
afterAll(async () => {
  await proxy.close();
  await server.remove();
});

describe('sessions that were cached before PostgreSQL stopped', () => {
  let service: RememberingService;
  let person: Person;
  beforeAll(async () => {
    service = await startRemembering(proxy.url, { migrate: true });
    person = await signUp(service);
    await service.untilRemembered(person.browser);
    service.logged.length = 0;
    await server.crash();
    await eventually(() => service.logged.length > 0);
  });
  afterAll(() => service.close());

  const listenerLogs = () =>
    service.logged
      .filter(({ fields }) => 'channel' in fields)
      .map(({ level, message }) => `${level}: ${message.split(',')[0]}`);

  test('are not accepted, because the service would not learn that a session ended', async () => {
    expect((await service.check(person.browser)).status).toBe(503);
  });

  test('are cached again after PostgreSQL restarts, and the log contains only one warning', async () => {
    // These checks take so long that several attempts to reconnect fail.
    await Promise.all(Array.from({ length: 3 }, () => service.check(person.browser)));
    await server.start();
    proxy.redirect(server.url());
    await eventually(async () => (await service.check(person.browser)).status === 200);
    await service.untilRemembered(person.browser);
    expect(listenerLogs()).toEqual([
      'warn: the connection for session changes was lost',
      'info: listening for session changes again',
    ]);
  });
});

describe('a PostgreSQL server that hangs', () => {
  let sql: postgres.Sql;
  beforeAll(() => {
    sql = postgres(server.url(), { max: 1 });
  });
  afterAll(() => sql.end());
  const adapters: Record<string, () => [given: never, end: () => Promise<unknown>]> = {
    'a database URL': () => [proxy.url as never, async () => {}],
    'a postgres.js client': () => {
      const client = postgres(proxy.url, { onnotice: () => {} });
      return [client as never, () => client.end({ timeout: 1 })];
    },
    'a pg pool': () => {
      const pool = new pg.Pool({ connectionString: proxy.url });
      pool.on('error', () => {});
      return [pool as never, () => pool.end()];
    },
  };

  test.each(Object.entries(adapters))('does not prevent a service with %s from closing', async (_, give) => {
    const [given, end] = give();
    const service = await startChecking(given);
    const { browser } = await signUp(service);
    await service.check(browser);
    await eventually(async () => (await listeningBackends(sql)).length === 1);
    proxy.hang();
    // If closing waited for the database, the test would exceed its time limit. `db/notifications` tests how long closing
    // waits.
    await service.close();
    proxy.resume();
    await end();
  });

  test.each(Object.entries(adapters))(
    'does not prevent a service with %s from closing while the service starts to listen',
    async (_, give) => {
      const [given, end] = give();
      const service = await startChecking(given);
      const { browser } = await signUp(service);
      proxy.hang();
      const checking = service.check(browser).catch(() => {});
      await eventually(() => service.begun() > 0);
      await service.close();
      proxy.resume();
      await checking;
      await end();
    },
  );
});
