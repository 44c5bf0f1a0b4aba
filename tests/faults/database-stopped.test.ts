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
// The server may come back on another port; the service's URL stays.
let proxy: DatabaseProxy;
let service: ServiceOn;
beforeAll(async () => {
  server = await startOwnPostgres();
  proxy = await startDatabaseProxy(server.url());
  service = await startServiceOn(proxy.url, { migrate: true });
}, 120_000);
afterAll(async () => {
  await service.close();
  await proxy.close();
  await server.remove();
});

const status = async (everything: EveryEndpoint, name: string) => (await everything.send(name)).status;

describe('a PostgreSQL that stops in the middle of the run', () => {
  let everything: EveryEndpoint;
  beforeAll(async () => {
    everything = await prepareEveryEndpoint(service);
    expect(await status(everything, 'GET /auth/session')).toBe(200);
    await server.crash();
  });

  test('makes every endpoint answer 503 in time, and lets no service start', async () => {
    const asked = performance.now();
    const starting = [true, false].map((migrate) =>
      createAuthService({ database: proxy.url, secret, env: {}, migrate }).then(
        () => 'started',
        ({ code }) => [code, performance.now() - asked < 5000],
      ),
    );
    const [outcomes] = await Promise.all([Promise.all(starting), everything.expectUnavailable()]);
    expect(outcomes).toEqual([
      ['unavailable', true],
      ['unavailable', true],
    ]);
  });

  test('makes them answer 503 where connections are refused, too', async () => {
    await proxy.refuse();
    await everything.expectUnavailable();
    await proxy.accept();
  });

  test('lets a login without a username begin: that writes and reads nothing', async () => {
    const { status } = await everything.person.browser.post('/auth/passkey/login/start', {});
    expect(status).toBe(200);
  });

  test('is told to the operator, with its cause', () => {
    const errors = service.logged.filter(({ level }) => level === 'error');
    expect(errors.length).toBeGreaterThan(0);
    for (const { fields } of errors) {
      expect(fields).toMatchObject({ code: 'unavailable', err: expect.any(Error) });
    }
  });

  test('and comes back is used again without a restart of ours, with nothing lost', async () => {
    await server.start();
    proxy.redirect(server.url());
    await eventually(async () => (await status(everything, 'GET /auth/session')) === 200);
    expect(await service.auth.isReady()).toBe(true);

    // What was refused with 503 had not begun: the same ceremonies still count, once.
    expect(await status(everything, 'POST /auth/passkey/register/verify')).toBe(201);
    expect(await status(everything, 'POST /auth/passkey/register/verify')).toBe(400);
    expect(await status(everything, 'POST /auth/passkey/login/verify')).toBe(200);
    expect(await status(everything, 'POST /auth/passkey/login/verify')).toBe(401);
    expect((await logIn(service.browser(), everything.person.authenticator)).status).toBe(200);
  });
});

describe('a PostgreSQL without a connection to spare', () => {
  const greedy: pg.Client[] = [];
  /** Takes every connection that is to be had, and tells how many that were. */
  async function takeAll(): Promise<number> {
    for (let taken = 0; ; taken += 1) {
      const client = new pg.Client({ connectionString: server.url() });
      client.on('error', () => {});
      try {
        await client.connect();
      } catch (error) {
        expect(error).toMatchObject({ code: '53300' });
        return taken;
      }
      greedy.push(client);
    }
  }

  /** Ends the service's connections, and tells how many there were. */
  async function endTheirs(): Promise<number> {
    const ended = await greedy[0]?.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'latchkey'`,
    );
    return ended?.rows.length ?? 0;
  }

  test('is 503 until there is one', async () => {
    const { browser } = await signUp(service);
    await takeAll();
    expect(greedy.length).toBeGreaterThan(50);
    // The service connects again by itself, to listen: until there is nothing that it could have.
    await eventually(async () => {
      const before = await endTheirs();
      const taken = await takeAll();
      return before + taken + (await endTheirs()) === 0;
    });
    for (let n = 0; n < 3; n += 1) {
      const { status, body, headers } = await browser.get('/auth/session');
      expect([status, body.code, headers.get('Retry-After')]).toEqual([503, 'unavailable', '1']);
    }
    await Promise.all(greedy.map((client) => client.end()));
    await eventually(async () => (await browser.get('/auth/session')).status === 200);
  });
});
