import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { createAuthService } from 'latchkey';
import pg from 'pg';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { fromPostgresClient } from '../../src/db/postgres.ts';
import { sql } from '../../src/db/sql.ts';
import { eventually } from '../support/eventually.ts';
import { startServiceOn } from '../support/service-on.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';
import { secret } from '../support/test-service.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

describe('a postgres.js client of the application', () => {
  const warningsFor = async (options: object) => {
    const client = postgres(database.url, { onnotice: () => {}, ...options });
    const service = await startServiceOn(client);
    await service.close();
    await client.end();
    return service.logged.map(({ level, message }) => `${level}: ${message}`);
  };

  test('causes a warning if it fetches types', async () => {
    expect(await warningsFor({})).toEqual([
      expect.stringMatching(/^warn: .*fetches types, .*the process ends.*fetch_types: false/),
    ]);
  });

  test('causes no warning if it does not fetch types', async () => {
    expect(await warningsFor({ fetch_types: false })).toEqual([]);
  });
});

describe('a pg pool of the application', () => {
  const endIdleConnections = async () => {
    const ended = await database.sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'pool'`;
    expect(ended.length).toBeGreaterThan(0);
  };
  const newPool = () => {
    const pool = new pg.Pool({ connectionString: database.url, application_name: 'pool' });
    onTestFinished(() => pool.end());
    return pool;
  };

  test('without an error listener gets a listener that logs a warning and is removed when the service closes', async () => {
    const pool = newPool();
    const service = await startServiceOn(pool);
    await endIdleConnections();
    const warnings = () =>
      service.logged.filter(({ message }) => /pg pool in `database` broke/.test(message));
    await eventually(() => warnings().length > 0);
    expect(warnings()[0]).toMatchObject({ level: 'warn', fields: { err: expect.any(Error) } });
    await service.close();
    expect(pool.listenerCount('error')).toBe(0);
  });

  test('with an error listener gets no second listener', async () => {
    const pool = newPool();
    pool.on('error', () => {});
    const service = await startServiceOn(pool);
    expect(pool.listenerCount('error')).toBe(1);
    await service.close();
    expect(pool.listenerCount('error')).toBe(1);
  });

  test('keeps no listener if the service fails to start', async () => {
    const pool = newPool();
    const empty = await createTestDatabase({ empty: true });
    onTestFinished(() => empty.drop());
    pool.options.connectionString = empty.url;
    await expect(createAuthService({ database: pool, secret, env: {} })).rejects.toThrow();
    expect(pool.listenerCount('error')).toBe(0);
    // Without a listener, the error of the pool's idle connection would end this process.
    pool.on('error', () => {});
  });
});

describe('after a postgres.js connection breaks, a statement', () => {
  const one = sql`select 1 as n where ${1}::integer = 1`;

  test('returns only its own rows, even if the previous statement broke between two rows', async () => {
    const client = postgres(database.url, { max: 1, fetch_types: false, backoff: () => 0.01 });
    onTestFinished(() => client.end());
    const db = fromPostgresClient(client);
    await db.query(sql`select set_config('application_name', ${'streaming'}::text, false)`);
    // The first rows arrive before `pg_sleep` delays a later row.
    const broken = db.query(sql`
      select repeat('x', 2000) as row, case when n > 200 then pg_sleep(60) end as pause
      from generate_series(1, 400) n where ${1}::integer = 1`);
    const failed = expect(broken).rejects.toThrow();
    await eventually(async () => {
      const ended = await database.sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'streaming' and wait_event = 'PgSleep'`;
      return ended.length === 1;
    });
    await failed;
    for (let n = 0; n < 3; n += 1) {
      const rows = await db.query(one).catch(() => null);
      if (rows) expect(rows).toEqual([{ n: 1 }]);
    }
    expect(await db.query(one)).toEqual([{ n: 1 }]);
  });

  test('fails, instead of returning an empty result, if it was sent to the broken connection', async () => {
    const { hostname, port } = new URL(database.url);
    const sockets: Socket[] = [];
    const options = {
      max: 1,
      fetch_types: false,
      backoff: () => 0.01,
      // The README of postgres.js documents this option, but the types of postgres.js do not contain it.
      socket: async () => {
        const socket = connect(Number(port), hostname);
        await once(socket, 'connect');
        sockets.push(socket);
        return socket;
      },
    };
    const client = postgres(database.url, options as object);
    onTestFinished(() => client.end({ timeout: 1 }));
    const db = fromPostgresClient(client);
    await db.query(one);
    const [socket] = sockets;
    if (!socket) throw new Error('no connection');
    // postgres.js sees the error immediately, but removes the connection from its pool only when the socket closes.
    const sent = new Promise((resolve) => {
      socket.on('error', () => resolve(db.query(one).catch((error) => error.code)));
    });
    const closed = new Promise((resolve) => {
      socket.on('close', resolve);
    });
    socket.destroy(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }));
    await closed;
    expect(await db.query(one)).toEqual([{ n: 1 }]);
    expect(await sent).toBe('CONNECTION_CLOSED');
  });
});

describe('target_session_attrs', () => {
  const start = (url: string) => createAuthService({ database: url, secret, env: {} });

  test('can be primary', async () => {
    const auth = await start(`${database.url}?target_session_attrs=primary`);
    expect(await auth.isReady()).toBe(true);
    await auth.close();
  });

  test('can be primary even if the server does not report in_hot_standby', async () => {
    const auth = await start(`${await startSilentProxy(database.url)}?target_session_attrs=primary`);
    expect(await auth.isReady()).toBe(true);
    await auth.close();
  });

  test.each(['read-write', 'standby', 'prefer-standby', 'any'])('cannot be %s', async (value) => {
    await expect(start(`${database.url}?target_session_attrs=${value}`)).rejects.toThrow(
      /target_session_attrs=primary, or a URL without target_session_attrs/,
    );
  });
});

/** A proxy that hides `in_hot_standby`, which PostgreSQL 13 and old poolers do not report. */
async function startSilentProxy(databaseUrl: string): Promise<string> {
  const url = new URL(databaseUrl);
  const { hostname, port } = url;
  const proxy = createServer((client) => {
    const server = connect(Number(port), hostname);
    client.on('error', () => server.destroy()).pipe(server);
    server.on('error', () => client.destroy());
    server.on('data', (data) =>
      client.write(data.toString('latin1').replace('in_hot_standby', 'in_hot_STANDBY'), 'latin1'),
    );
    server.on('close', () => client.destroy());
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  onTestFinished(() => void proxy.close());
  url.host = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  return url.href;
}
