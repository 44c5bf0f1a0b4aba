import { createAuthService } from 'latchkey';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { logIn, signUp } from '../support/person.ts';
import { type ServiceOn, startServiceOn } from '../support/service-on.ts';
import { secret } from '../support/test-service.ts';
import { type DatabaseProxy, startDatabaseProxy } from './support/database-proxy.ts';
import { type EveryEndpoint, prepareEveryEndpoint } from './support/every-endpoint.ts';
import { type OwnPostgres, startOwnPostgres } from './support/own-postgres.ts';

let server: OwnPostgres;
// PostgreSQL may restart on another port, so the service connects through a proxy.
let proxy: DatabaseProxy;
let service: ServiceOn;
beforeAll(async () => {
  server = await startOwnPostgres();
  proxy = await startDatabaseProxy(server.url());
  service = await startServiceOn(proxy.url, { migrate: true });
});
afterAll(async () => {
  await service.close();
  await proxy.close();
  await server.remove();
});

const status = async (everything: EveryEndpoint, name: string) => (await everything.send(name)).status;

describe('a PostgreSQL server that stops while the service runs', () => {
  let everything: EveryEndpoint;
  beforeAll(async () => {
    everything = await prepareEveryEndpoint(service);
    expect(await status(everything, 'GET /auth/session')).toBe(200);
    await server.crash();
  });

  test('makes every endpoint return 503 in time; another service cannot start', async () => {
    const starting = [true, false].map((migrate) =>
      createAuthService({ database: proxy.url, secret, env: {}, migrate }).then(
        () => 'started',
        ({ name }) => name,
      ),
    );
    const [outcomes] = await Promise.all([Promise.all(starting), everything.expectUnavailable()]);
    expect(outcomes).toEqual(['DatabaseError', 'DatabaseError']);
  });

  test('makes every endpoint return 503 when new connections are refused', async () => {
    await proxy.refuse();
    await everything.expectUnavailable();
    await proxy.accept();
  });

  test('does not affect the start of a sign-in without a username, which needs no database', async () => {
    const { status } = await everything.person.browser.post('/auth/passkey/login/start', {});
    expect(status).toBe(200);
  });

  test('leads to logged errors, each with its cause', () => {
    const errors = service.logged.filter(({ level }) => level === 'error');
    expect(errors.length).toBeGreaterThan(0);
    for (const { fields } of errors) {
      expect(fields).toMatchObject({ code: 'unavailable', err: expect.any(Error) });
    }
  });

  test('is used again after it restarts; the service does not restart, and no data is lost', async () => {
    await server.start();
    proxy.redirect(server.url());
    await eventually(async () => (await status(everything, 'GET /auth/session')) === 200);
    expect(await service.auth.isReady()).toBe(true);

    // The requests with a 503 response had no effect, so the same ceremonies still work once.
    expect(await status(everything, 'POST /auth/passkey/register/verify')).toBe(201);
    expect(await status(everything, 'POST /auth/passkey/register/verify')).toBe(400);
    expect(await status(everything, 'POST /auth/passkey/login/verify')).toBe(200);
    expect(await status(everything, 'POST /auth/passkey/login/verify')).toBe(401);
    expect((await logIn(service.browser(), everything.person.authenticator)).status).toBe(200);
  });
});

describe('a PostgreSQL server without free connections', () => {
  const clients: pg.Client[] = [];
  async function takeAll(): Promise<void> {
    for (;;) {
      const client = new pg.Client({ connectionString: server.url() });
      client.on('error', () => {});
      try {
        await client.connect();
      } catch (error) {
        expect(error).toMatchObject({ code: '53300' });
        return;
      }
      clients.push(client);
    }
  }

  async function endServiceConnections(): Promise<void> {
    await clients[0]?.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'latchkey%'`,
    );
  }

  async function readMaxConnections(): Promise<number> {
    const shown = await clients[0]?.query('show max_connections');
    return Number(shown?.rows[0].max_connections);
  }

  test('causes 503 responses until a connection is free', async () => {
    const { browser } = await signUp(service);
    await takeAll();
    const most = await readMaxConnections();
    // The service reconnects automatically to listen for notifications. PostgreSQL does not list a connection that is
    // being opened. So this repeats until the test has every connection.
    await eventually(async () => {
      await endServiceConnections();
      await takeAll();
      return clients.length === most;
    });
    for (let n = 0; n < 3; n += 1) {
      const { status, body, headers } = await browser.get('/auth/session');
      expect([status, body.code, headers.get('Retry-After')]).toEqual([503, 'unavailable', '1']);
    }
    await Promise.all(clients.map((client) => client.end()));
    await eventually(async () => (await browser.get('/auth/session')).status === 200);
  });
});
