import { request } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { addPasskey, logIn, newUsername, signUpStart } from '../../support/person.ts';
import { type RedisServer, startRedisServer } from '../../support/redis-server.ts';
import { isLost, type Load, putUnderLoad } from './load.ts';
import type { StartProxy } from './proxy.ts';
import { origin, startTwoServers, type TwoServers } from './two-servers.ts';

const people = 16;

/**
 * What holds for two processes behind whatever proxy.
 *
 * @param refusedOnce whether the proxy learns of a dead process by a request with a body, which it does not send again
 *   to another although nothing was sent
 */
export function behaveBehind(startProxy: StartProxy, { refusedOnce }: { refusedOnce: boolean }): void {
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await startRedisServer();
  });
  afterAll(() => redis.remove());

  describe('two processes', () => {
    let service: TwoServers;
    beforeAll(async () => {
      service = await startTwoServers(startProxy, redis);
    });
    afterAll(() => service.close());

    test('are both asked', async () => {
      for (let asked = 0; asked < 8; asked += 1) await service.browser().get('/healthz-of-nobody');
      await eventually(() =>
        service.servers.every(({ output }) => output().includes('"path":"/healthz-of-nobody"')),
      );
    });

    test('finish on one what was begun on the other: signup, login, step-up and a further passkey', async () => {
      const authenticator = service.authenticator();
      const username = newUsername();
      const one = service.browserAt(0);
      const credential = await authenticator.create(await signUpStart(one, username));
      const other = service.browserAt(1, one.cookies);
      const signedUp = await other.post('/auth/passkey/register/verify', { credential });
      expect(signedUp.status).toBe(201);

      const fresh = service.browserAt(1);
      const { options } = (await fresh.post('/auth/passkey/login/start', { username })).body;
      const back = service.browserAt(0, fresh.cookies);
      const login = await back.post('/auth/passkey/login/verify', {
        credential: await authenticator.get(options),
      });
      expect(login.status).toBe(200);

      const started = (await back.post('/auth/passkey/stepup/start', {})).body;
      const confirming = service.browserAt(1, back.cookies);
      const confirmed = await confirming.post('/auth/passkey/stepup/verify', {
        credential: await authenticator.get(started.options),
      });
      expect(confirmed.status).toBe(200);
      expect((await addPasskey(confirming, service.authenticator())).status).toBe(201);
    });

    test('refuse a session that was logged out on the other', async () => {
      const { browser } = await signUpThrough(service);
      const [one, other] = [service.browserAt(0, browser.cookies), service.browserAt(1, browser.cookies)];
      expect((await one.get('/auth/session')).status).toBe(200);
      expect((await other.get('/auth/session')).status).toBe(200);
      expect((await one.delete('/auth/session')).status).toBe(204);
      expect((await other.get('/auth/session')).status).toBe(401);
    });

    test('count together, and the client’s address rather than the proxy’s or one that it makes up', async () => {
      const made = { 'X-Forwarded-For': '203.0.113.7' };
      const asked = [
        () => service.browserAt(0).get('/auth/session'),
        () => service.browserAt(1).get('/auth/session'),
        () => service.browser().get('/auth/session'),
        () => service.browser().get('/auth/session', made),
      ];
      const left: number[] = [];
      for (const ask of asked) left.push(Number((await ask()).headers.get('RateLimit-Remaining')));
      const [first = 0] = left;
      expect(first).toBeGreaterThan(500);
      expect(left).toEqual([first, first - 1, first - 2, first - 3]);
    });

    test('take the request’s id from the proxy, not from the client, into answer, log and audit log', async () => {
      const authenticator = service.authenticator();
      const browser = service.browser();
      const credential = await authenticator.create(await signUpStart(browser));
      const chosen = { 'X-Request-Id': 'chosen-by-the-client' };
      const answer = await browser.post('/auth/passkey/register/verify', { credential }, chosen);
      const id = `${answer.headers.get('X-Request-Id')}`;
      expect(id).toMatch(/^[0-9a-f-]{32,36}$/);
      const rows = await service.database.sql`
        select event from latchkey.audit_events where request_id = ${id}`;
      expect(rows).toEqual([{ event: 'account.signup' }]);
      await eventually(() =>
        service.servers.some(({ output }) => output().includes(`"requestId":"${id}","method":"POST"`)),
      );
    });

    test('are not reached by what is far too large', async () => {
      const body = JSON.stringify({ username: 'x'.repeat(200_000) });
      const headers = { 'Content-Type': 'application/json', 'X-Marked': 'large' };
      const answer = await service.browser().request('POST', '/auth/passkey/register/start', body, headers);
      expect(answer.status).toBe(413);
      expect(`${answer.headers.get('Content-Type')}`).not.toContain('problem+json');
      expect(answer.headers.get('X-Request-Id')).toMatch(/^[0-9a-f-]{32,36}$/);
      const inTheirWords = await service
        .browser()
        .request('POST', '/auth/passkey/register/start', body.slice(0, 80_000), headers);
      expect([inTheirWords.status, inTheirWords.body.code]).toEqual([413, 'body_too_large']);
    });

    test('are where plain http leads', async () => {
      const answer = await new Promise<{ status?: number | undefined; location?: string | undefined }>(
        (resolve, reject) => {
          const { plainPort: port } = service.proxy;
          const headers = { Host: 'example.com' };
          request({ host: '127.0.0.1', port, path: '/recover?a=b', headers }, (incoming) => {
            incoming.resume();
            resolve({ status: incoming.statusCode, location: incoming.headers.location });
          })
            .on('error', reject)
            .end();
        },
      );
      expect(answer).toEqual({ status: 308, location: `${origin}/recover?a=b` });
    });
  });

  describe('under load', { timeout: 120_000 }, () => {
    let service: TwoServers;
    let load: Load;
    beforeEach(async () => {
      service = await startTwoServers(startProxy, redis, { RATE_LIMIT: 'off' });
      load = putUnderLoad(service, people);
      await load.more(300);
    });
    afterEach(() => service.close());

    test('one process is killed: what was acknowledged is there, what only reads is not disturbed, and trying again once is enough', async () => {
      const [dead] = service.servers;
      const killed = performance.now();
      dead.process.kill('SIGKILL');
      expect(await dead.exit).toBe('SIGKILL');
      const gone = performance.now();
      await load.more(300);
      await load.stop();

      const lost = load.journal.filter(isLost);
      // They were on their way when the process died, or when the proxy met it dead: nothing that came later was lost.
      const refusals = refusedOnce ? lost.filter(({ began }) => began >= gone) : [];
      const known = refusals.length > 0 ? Math.min(...refusals.map(({ ended }) => ended)) : gone;
      for (const { method, began, ended } of lost) {
        expect(method).not.toBe('GET');
        expect(began).toBeLessThan(known);
        expect(ended).toBeGreaterThan(killed);
      }
      expect(lost.length).toBeLessThanOrEqual(people);
      await expectAcknowledged(service, load);
    });

    test('the processes are restarted one after the other: not one request is lost', async () => {
      for (const index of [0, 1] as const) {
        const leaving = service.servers[index];
        const asked = performance.now();
        leaving.process.kill('SIGTERM');
        expect(await leaving.exit).toBe(0);
        expect(performance.now() - asked).toBeLessThan(10_000);
        await load.more(200);
        await service.restart(index);
        const { output } = service.servers[index];
        await eventually(() => output().includes('"msg":"request"'));
      }
      await load.more(200);
      await load.stop();
      expect(load.journal.filter(isLost)).toEqual([]);
      await expectAcknowledged(service, load);
    });
  });
}

async function signUpThrough(service: TwoServers) {
  const authenticator = service.authenticator();
  const browser = service.browser();
  const username = newUsername();
  const credential = await authenticator.create(await signUpStart(browser, username));
  await browser.post('/auth/passkey/register/verify', { credential });
  expect((await logIn(service.browser(), authenticator, { username })).status).toBe(200);
  return { browser, authenticator, username };
}

async function expectAcknowledged(service: TwoServers, load: Load): Promise<void> {
  const rows = await service.database.sql<{ username: string; label: string; passkeys: number }[]>`
    select username, max(label) as label, count(*)::int as passkeys
    from latchkey.users join latchkey.passkeys on user_id = users.id group by username`;
  const found = new Map(rows.map((row) => [row.username, row]));
  expect(load.acknowledged.length).toBeGreaterThan(50);
  for (const { username, labelled } of load.acknowledged) {
    expect(found.get(username)).toMatchObject({
      passkeys: 1,
      ...(labelled > 0 && { label: `Label ${labelled}` }),
    });
  }
}
