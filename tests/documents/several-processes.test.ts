import { execFileSync } from 'node:child_process';
import { parseEnv } from 'node:util';
import { readConfiguration } from 'latchkey';
import { afterEach, describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { logIn, newUsername, signUp } from '../support/person.ts';
import { findPgBouncer, startPgBouncer } from '../support/pgbouncer.ts';
import { findRedis, type RedisServer, startRedisServer } from '../support/redis-server.ts';
import { holdRedisTimeouts, redisTimeouts } from '../support/redis-timeouts.ts';
import { sequence } from '../support/sequencing.ts';
import { type ServiceOn, startServiceOn } from '../support/service-on.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';
import { secret } from '../support/test-service.ts';
import { readGuide } from './support/guide.ts';

const guide = readGuide('docs/guides/several-processes.md');
const shared = parseEnv(guide.block('TRUST_PROXY'));
const pooled = guide.block('[pgbouncer]').split('[pgbouncer]\n')[1]?.trim().split('\n') ?? [];
const unprepared = parseEnv(guide.block('prepare=false'));

const toClose: { close?(): Promise<void>; drop?(): Promise<void>; remove?(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of toClose.splice(0).reverse()) await (each.close ?? each.drop ?? each.remove)?.();
});

async function database(): Promise<TestDatabase> {
  const created = await createTestDatabase();
  toClose.push(created);
  return created;
}

/** Starts a process with the shared settings of the guide, on this database and Redis. */
async function start(url: string, redis?: RedisServer): Promise<ServiceOn> {
  const { WEBAUTHN_RP_ID, WEBAUTHN_RP_ORIGIN, ...same } = shared;
  const env = { ...same, DATABASE_URL: url, JWT_SECRET: secret, REDIS_URL: redis?.url ?? '' };
  expect([WEBAUTHN_RP_ID, WEBAUTHN_RP_ORIGIN]).toEqual(['example.com', 'https://example.com']);
  const service = await startServiceOn(undefined, {
    env,
    secret: undefined as never,
    rateLimit: redis !== undefined,
    rateLimits: { password: { account: { max: 4, seconds: 900 } } },
  });
  toClose.push(service);
  return service;
}

test('a session of one process works in the other, until it ends there', async () => {
  const { url } = await database();
  const [one, other] = [await start(url), await start(url)];
  const { browser } = await signUp(one);
  const elsewhere = other.browser(browser.cookies);
  expect((await elsewhere.get('/auth/session')).status).toBe(200);
  expect((await browser.delete('/auth/session')).status).toBe(204);
  await eventually(async () => (await elsewhere.get('/auth/session')).status === 401);
});

describe.skipIf(!findRedis())('processes with Redis', () => {
  holdRedisTimeouts(...Object.values(redisTimeouts));

  test('count attempts together', async () => {
    const redis = await startRedisServer();
    toClose.push(redis);
    const { url } = await database();
    const [one, other] = [await start(url, redis), await start(url, redis)];
    const username = newUsername();
    const attempt = async (service: ServiceOn) =>
      (await service.browser().post('/auth/password/login', { username, password: 'a wrong password' }))
        .status;
    for (let count = 0; count < 4; count += 1) expect(await attempt(count % 2 ? one : other)).toBe(401);
    expect([await attempt(one), await attempt(other)]).toEqual([429, 429]);
  });
});

const program = findPgBouncer();

describe.skipIf(program === null)('behind PgBouncer with the settings of the guide', () => {
  const version = /PgBouncer (\d+)\.(\d+)/.exec(
    execFileSync(`${program}`, ['--version'], { encoding: 'utf8' }),
  );
  const tracksStatements = Number(version?.[2]) >= 21 || Number(version?.[1]) > 1;

  test('users sign up and sign in', async () => {
    const { url } = await database();
    expect(pooled).toEqual([
      'pool_mode = transaction',
      expect.stringMatching(/^max_prepared_statements = \d+$/),
      'server_login_retry = 1',
    ]);
    const settings = tracksStatements ? pooled : pooled.filter((line) => !line.startsWith('max_prepared'));
    const pooler = await startPgBouncer(`${program}`, url, settings);
    toClose.push(pooler);
    const { search } = new URL(`${unprepared.DATABASE_URL}`.replace('…', 'x'));
    expect(search).toBe('?prepare=false');
    const service = await start(`${pooler.url}${tracksStatements ? '' : search}`);
    const people = await Promise.all([1, 2, 3, 4].map(() => signUp(service)));
    for (const { authenticator } of people)
      expect((await logIn(service.browser(), authenticator)).status).toBe(200);
  });
});

test('the URLs of clusters with failover are valid settings', () => {
  const { DATABASE_URL = '', REDIS_URL = '' } = parseEnv(guide.block('redis+sentinel'));
  const env = { DATABASE_URL: DATABASE_URL.replace('…', 'x'), REDIS_URL, JWT_SECRET: secret };
  const { redisUrl } = readConfiguration({ env });
  expect(redisUrl).toBe(REDIS_URL);
  const wrong = { ...env, REDIS_URL: REDIS_URL.replace('sentinel:', 'sentinels:') };
  expect(() => readConfiguration({ env: wrong })).toThrow('REDIS_URL');
});

test('the query for replicas returns each event once, in the order of the positions', async () => {
  const { sql, url } = await database();
  const service = await start(url);
  await signUp(service);
  await signUp(service);
  await sequence(sql);
  const query = guide.block('audit_entries.position >');
  const all = await sql.unsafe(query, ['-1']);
  const [row] = await sql`select count(*)::int as count from latchkey.audit_events`;
  expect(all).toHaveLength(row?.count);
  expect(await sql.unsafe(query, [`${all[0]?.position}`])).toEqual(all.slice(1));
});
