import { Redis } from 'ioredis';
import { checkRedis } from 'latchkey';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { limitedServices } from '../support/limited-services.ts';
import { type RawAnswer, send } from '../support/raw-request.ts';
import { findRedis, type RedisServer, startRedisServer, startSentinel } from '../support/redis-server.ts';
import { holdRedisTimeouts, redisTimeouts } from '../support/redis-timeouts.ts';
import { startSentinelStub } from '../support/sentinel-stub.ts';
import type { ServiceOn } from '../support/service-on.ts';
import { startTestService, type TestService } from '../support/test-service.ts';

const hasRedis = findRedis();
const budget = { address: { max: 1_000_000, seconds: 600 } };
const rateLimits = { read: budget, ceremony: budget };

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const { answerMs } = redisTimeouts;
const checkMs = 3000;
const timeouts = holdRedisTimeouts(...Object.values(redisTimeouts), checkMs);
const limits = limitedServices();
const start = (options: object) => limits.start(service, { rateLimits, ...options });
const ask = ({ url }: ServiceOn) => send(url, '/auth/session');
/** Starts a sign-in, which counts against another budget than `ask`. */
const startLogin = ({ url }: ServiceOn) =>
  send(url, '/auth/passkey/login/start', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{}',
  });
const left = ({ headers }: RawAnswer) => Number(headers['ratelimit-remaining']);

/** Whether a request to one process lowers the remaining budget that the other process returns. */
async function shareBudget(one: ServiceOn, other: ServiceOn, request = ask): Promise<boolean> {
  const before = left(await request(one));
  return left(await request(other)) === before - 1 && left(await request(one)) === before - 2;
}
const areShared = ({ auth }: ServiceOn) => auth.statistics().rateLimits.shared === true;

describe.skipIf(!hasRedis)('with Redis Sentinel, processes', () => {
  let primary: RedisServer;
  let replica: RedisServer;
  let sentinel: Awaited<ReturnType<typeof startSentinel>>;
  beforeAll(async () => {
    primary = await startRedisServer();
    replica = await startRedisServer('--replicaof', '127.0.0.1', `${primary.port}`);
    sentinel = await startSentinel(primary.port);
  });
  afterAll(async () => {
    await sentinel.remove();
    await replica.remove();
    await primary.remove();
  });

  test('share a budget, and share it again after the primary crashed and the Sentinel promoted the replica', async () => {
    const redisUrl = `redis+sentinel://127.0.0.1:${sentinel.port}/limits`;
    const [one, other] = [await start({ redisUrl }), await start({ redisUrl })];
    expect(await shareBudget(one, other)).toBe(true);
    expect([areShared(one), areShared(other)]).toEqual([true, true]);
    await primary.crash();
    await sentinel.watch();
    await ask(one);
    expect(areShared(one)).toBe(false);
    await eventually(async () => (await sentinel.primaryPort()) === replica.port);
    for (const process of [one, other])
      await eventually(async () => {
        await ask(process);
        return areShared(process);
      });
    // A process can connect to the replica before the Sentinel announces the failover, and then connects again. During
    // the failover, each process counted its requests alone, so this takes a budget that was not used.
    await eventually(() => shareBudget(one, other, startLogin));
  });
});

describe.skipIf(!hasRedis)('a process that is reconnecting through a Sentinel', () => {
  test('counts with others again, even if the Sentinel announces a failover at that moment', async () => {
    const server = await startRedisServer();
    const sentinel = await startSentinelStub(server.port);
    const redisUrl = `redis+sentinel://127.0.0.1:${sentinel.port}/limits`;
    const one = await start({ redisUrl });
    await ask(one);
    expect(areShared(one)).toBe(true);
    sentinel.hold();
    await server.crash();
    await sentinel.heldRequest();
    // ioredis does not connect again after a disconnect at this moment.
    await sentinel.announceFailover();
    await eventually(async () => {
      await ask(one);
      return !areShared(one);
    });
    await server.start();
    sentinel.release();
    await eventually(async () => {
      await ask(one);
      return areShared(one);
    });
    await one.auth.close();
    await sentinel.close();
    await server.remove();
  });
});

describe.skipIf(!hasRedis)('with Redis Cluster, processes', () => {
  let nodes: [RedisServer, RedisServer];
  beforeAll(async () => {
    const startNode = () => startRedisServer('--cluster-enabled', 'yes');
    nodes = [await startNode(), await startNode()];
    const [first, second] = nodes;
    await first.client.call('cluster', 'addslotsrange', '0', '8191');
    await second.client.call('cluster', 'addslotsrange', '8192', '16383');
    await first.client.call('cluster', 'meet', '127.0.0.1', `${second.port}`);
    for (const { client } of nodes)
      await eventually(async () => `${await client.call('cluster', 'info')}`.includes('cluster_state:ok'));
  });
  afterAll(async () => {
    for (const node of nodes) await node.remove();
  });

  test('share a budget, and store budgets on both nodes', async () => {
    const [first, second] = nodes;
    const one = await start({ redisUrl: `redis+cluster://127.0.0.1:${first.port}` });
    const other = await start({
      redisUrl: `redis+cluster://127.0.0.1:${second.port},127.0.0.1:${first.port}`,
    });
    expect(await shareBudget(one, other)).toBe(true);
    // Other budgets have other keys, so some of them are on the other node.
    for (const path of ['/auth/passkey/login/start', '/auth/password/login', '/auth/recovery/code'])
      await send(one.url, path, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: '{}',
      });
    expect([areShared(one), areShared(other)]).toEqual([true, true]);
    const keys = await Promise.all(nodes.map(({ client }) => client.dbsize()));
    expect(Math.min(...keys)).toBeGreaterThan(0);
  });

  test('get MOVED from checkRedis if the URL is that of one node, and the key belongs to the other node', async () => {
    const results = await Promise.all(
      nodes.map(({ url }) =>
        checkRedis(url).then(
          () => 'works',
          ({ message }) => message.split(' ')[0],
        ),
      ),
    );
    expect(results.sort()).toEqual(['MOVED', 'works']);
  });
});

describe.skipIf(!hasRedis)('checkRedis', () => {
  let server: RedisServer;
  let replica: RedisServer;
  beforeAll(async () => {
    server = await startRedisServer();
    replica = await startRedisServer('--replicaof', '127.0.0.1', `${server.port}`);
  });
  afterAll(async () => {
    await replica.remove();
    await server.remove();
  });

  test('succeeds with a server that can count requests', async () => {
    await checkRedis(server.url);
  });

  test('throws READONLY if the server is a replica', async () => {
    await expect(checkRedis(replica.url)).rejects.toThrow(/^READONLY/);
  });

  test('throws NOPERM if the user has no permission for the commands', async () => {
    await server.client.call('acl', 'setuser', 'reader', 'on', '>secret', '~*', '+ping', '+info', '+get');
    const url = server.url.replace('://', '://reader:secret@');
    await expect(checkRedis(url)).rejects.toThrow(/^NOPERM/);
  });

  test('throws the reason if the server is unreachable', async () => {
    await expect(checkRedis('redis://127.0.0.1:9')).rejects.toThrow(/ECONNREFUSED/);
  });

  test('throws after three seconds if the server does not respond', async () => {
    server.hang();
    const check = expect(checkRedis(server.url)).rejects.toThrow('no answer within 3 seconds');
    await eventually(() => timeouts.pending(checkMs) === 1);
    timeouts.expire(checkMs);
    await check;
    server.resume();
  });
});

describe.skipIf(!hasRedis)('a Redis client of the application', () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedisServer();
  });
  afterAll(() => server.remove());

  test('counts for two processes, and stays open when the services close', async () => {
    const redis = new Redis(server.url);
    const [one, other] = [await start({ redis }), await start({ redis })];
    expect(await shareBudget(one, other)).toBe(true);
    await one.auth.close();
    await other.auth.close();
    expect(await redis.ping()).toBe('PONG');
    expect(redis.listenerCount('error')).toBe(0);
    await redis.quit();
  });

  test('does not block requests while the server hangs', async () => {
    const redis = new Redis(server.url);
    const one = await start({ redis });
    expect((await ask(one)).status).toBe(401);
    server.hang();
    const answer = ask(one);
    await eventually(() => timeouts.pending(answerMs) === 1);
    timeouts.expire(answerMs);
    expect((await answer).status).toBe(401);
    expect(areShared(one)).toBe(false);
    server.resume();
    redis.disconnect();
  });
});
