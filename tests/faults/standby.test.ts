import pg from 'pg';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openFiles } from '../../examples/server/files/store.ts';
import { databaseOn } from '../features/support/remembering.ts';
import type { TestAgent } from '../support/agent.ts';
import { eventually } from '../support/eventually.ts';
import { holdTimeouts } from '../support/held-timeouts.ts';
import { logIn, type Person, signUp } from '../support/person.ts';
import { type ServiceOn, startServiceOn } from '../support/service-on.ts';
import { type DatabaseProxy, startDatabaseProxy } from './support/database-proxy.ts';
import { type OwnPostgres, type Standby, startOwnPostgres } from './support/own-postgres.ts';

let primary: OwnPostgres;
/** A copy of the primary that lags behind: it never receives the changes that the tests make. */
let standby: Standby;
let leaving: Person;
let staying: Person;
beforeAll(async () => {
  primary = await startOwnPostgres();
  const service = await startServiceOn(primary.url(), { migrate: true });
  leaving = await signUp(service);
  staying = await signUp(service);
  await service.close();
  // Creates the table of the files, so that the standby has it too.
  await (await openFiles(primary.url())).close();
  await primary.stop();
  standby = await primary.copyAsStandby();
  await primary.start();
});
afterAll(async () => {
  await primary.remove();
  await standby.remove();
});

const sessionStatus = async (service: ServiceOn, cookies: TestAgent['cookies']): Promise<number> =>
  (await service.browser(cookies).get('/auth/session')).status;

/** Waits until the service's statements reach a standby. */
const untilOnStandby = (service: ServiceOn) =>
  eventually(async () => {
    const error = await service.auth.isReady().catch(({ cause }) => cause);
    return error.code === '25006';
  });

describe('a session that has ended on the primary is not accepted from a standby', () => {
  beforeAll(async () => {
    const service = await startServiceOn(primary.url());
    const browser = service.browser(leaving.browser.cookies);
    expect((await browser.delete('/auth/session')).status).toBe(204);
    expect(await sessionStatus(service, leaving.browser.cookies)).toBe(401);
    await service.close();
  });

  const clients = {
    'a database URL': (url: string) => ({ database: url, end: async () => {} }),
    'a postgres.js client': (url: string) => {
      const client = postgres(url, { fetch_types: false, onnotice: () => {} });
      return { database: client, end: () => client.end({ timeout: 1 }) };
    },
    'a pg pool': (url: string) => {
      const pool = new pg.Pool({ connectionString: url });
      pool.on('error', () => {});
      return { database: pool, end: () => pool.end() };
    },
    'a Database of the application': (url: string) => {
      const client = postgres(url, { fetch_types: false, onnotice: () => {} });
      return { database: databaseOn(client), end: () => client.end({ timeout: 1 }) };
    },
  };

  test.for(Object.entries(clients))('through %s, and the service is not ready', async ([, open]) => {
    const proxy = await startDatabaseProxy(primary.url());
    const { database, end } = open(proxy.url);
    const service = await startServiceOn(database);
    const browser = service.browser(leaving.browser.cookies);
    proxy.redirect(standby.url());
    proxy.cut();
    await untilOnStandby(service);
    expect(await sessionStatus(service, leaving.browser.cookies)).toBe(503);
    expect((await browser.delete('/auth/session')).status).toBe(503);
    await expect(service.auth.isReady()).rejects.toMatchObject({ code: 'unavailable' });
    await service.close();
    await end();
    await proxy.close();
  });
});

test('a service does not start on a standby', async () => {
  await expect(startServiceOn(standby.url())).rejects.toMatchObject({
    name: 'DatabaseError',
    code: 'not_primary',
    cause: { code: '25006' },
  });
});

test('a service that reached a standby works again when new connections reach the primary, although its old connections stay open', async () => {
  // Simulates a DNS name that first leads to a standby. When it leads to the primary again, connections stay
  // open.
  const proxy = await startDatabaseProxy(primary.url());
  const service = await startServiceOn(proxy.url);
  proxy.redirect(standby.url());
  proxy.cut();
  await untilOnStandby(service);
  expect(await sessionStatus(service, staying.browser.cookies)).toBe(503);
  proxy.redirect(primary.url());
  await eventually(async () => (await sessionStatus(service, staying.browser.cookies)) === 200);
  expect(await service.auth.isReady()).toBe(true);
  await service.close();
  await proxy.close();
});

test('the file store of the example server throws 503 on a standby, and works again when new connections reach the primary', async () => {
  const proxy = await startDatabaseProxy(primary.url());
  const files = await openFiles(proxy.url);
  const owner = { id: crypto.randomUUID(), username: 'ada' };
  const create = () => files.create({ name: 'Plan', content: '' }, owner, null);
  proxy.redirect(standby.url());
  proxy.cut();
  await eventually(async () => (await create().catch(({ code }) => code)) === 'unavailable');
  proxy.redirect(primary.url());
  expect(await create()).toMatchObject({ name: 'Plan' });
  await files.close();
  await proxy.close();
});

describe('a URL with several hosts', () => {
  let proxies: { primary: DatabaseProxy; standby: DatabaseProxy };
  let service: ServiceOn;
  beforeAll(async () => {
    proxies = {
      primary: await startDatabaseProxy(primary.url()),
      standby: await startDatabaseProxy(standby.url()),
    };
    service = await startServiceOn(urlOfHosts([proxies.standby.url, proxies.primary.url]));
  });
  afterAll(async () => {
    await service.close();
    await proxies.primary.close();
    await proxies.standby.close();
  });

  test('leads to the primary, even if a standby is the first host', async () => {
    expect(await sessionStatus(service, staying.browser.cookies)).toBe(200);
    expect((await logIn(service.browser(), staying.authenticator)).status).toBe(200);
  });

  test('leads to the new primary after a failover, while the old primary hangs', async () => {
    proxies.primary.hang();
    expect(await sessionStatus(service, staying.browser.cookies)).toBe(503);
    await standby.promote();
    await eventually(async () => (await sessionStatus(service, staying.browser.cookies)) === 200);
    expect((await logIn(service.browser(), staying.authenticator)).status).toBe(200);
  });
});

describe('after a failover', () => {
  // How long the service waits for the other hosts after the first answer.
  holdTimeouts(250);

  test.for([
    ['first', (urls: string[]) => urls],
    ['last', (urls: string[]) => urls.toReversed()],
  ] as const)(
    'if an earlier primary still runs after a failover, and is the %s host, a new service uses the new primary',
    async ([, order]) => {
      // The test above has promoted the standby.
      const service = await startServiceOn(urlOfHosts(order([primary.url(), standby.url()])));
      const { username } = await signUp(service);
      await service.close();
      const hasUser = async (url: string) => {
        const sql = postgres(url, { max: 1 });
        const rows = await sql`select 1 from latchkey.users where username = ${username}`;
        await sql.end();
        return rows.length === 1;
      };
      expect([await hasUser(primary.url()), await hasUser(standby.url())]).toEqual([false, true]);
    },
  );
});

/** Joins the URLs of several servers with the same role, password and database. */
function urlOfHosts(urls: readonly string[]): string {
  const [first = ''] = urls;
  return first.replace(new URL(first).host, urls.map((url) => new URL(url).host).join(','));
}
