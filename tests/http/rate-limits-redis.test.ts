import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, symlink } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import type { AuthServiceOptions } from 'latchkey';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/example-server.ts';
import { limitedServices } from '../support/limited-services.ts';
import { inTurn, statuses, times, together } from '../support/many-requests.ts';
import { newUsername } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { type RawAnswer, send } from '../support/raw-request.ts';
import { findRedis, type RedisServer, startRedisServer } from '../support/redis-server.ts';
import { holdRedisTimeouts, redisTimeouts } from '../support/redis-timeouts.ts';
import { removeFolder } from '../support/remove-folder.ts';
import type { ServiceOn } from '../support/service-on.ts';
import { secret, startTestService, type TestService } from '../support/test-service.ts';

const hasRedis = findRedis();
const of = (max: number, seconds = 60) => ({ max, seconds });
const away = {
  level: 'warn',
  fields: { reason: expect.any(String) },
  message: 'Redis is unreachable, so each process counts rate limits alone',
};
const back = {
  level: 'info',
  fields: {},
  message: 'Redis is reachable again, so the processes count rate limits together',
};

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const limits = limitedServices();

const start = (redisUrl: string, options: AuthServiceOptions = {}) =>
  limits.start(service, { rateLimits: { read: { address: of(4) } }, redisUrl, ...options });

const ask = ({ url }: ServiceOn) => send(url, '/auth/session');
/** Signs in with a password, by default a wrong one. */
const guess = ({ url }: ServiceOn, username: string, password = 'a wet towel in Bergen') =>
  send(url, '/auth/password/login', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ username, password }),
  });
const left = ({ headers }: RawAnswer) => Number(headers['ratelimit-remaining']);
/** The number of accepted requests before the first 429. */
async function untilRefused(instance: ServiceOn): Promise<number> {
  for (let through = 0; through < 100; through++) {
    if ((await ask(instance)).status === 429) return through;
  }
  throw new Error('accepted 100 requests');
}
const { commandMs, startMs, socketMs } = redisTimeouts;

describe.skipIf(!hasRedis)('processes on one Redis', () => {
  holdRedisTimeouts(commandMs, startMs, socketMs);
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await startRedisServer();
  });
  afterAll(() => redis.remove());
  beforeEach(async () => {
    await redis.client.flushall();
    // koa-ratelimit also uses these clocks. Two requests in Redis must not have the same time.
    vi.useFakeTimers({ toFake: ['Date'] });
    let nanoseconds = process.hrtime.bigint();
    const ticking = vi.spyOn(process.hrtime, 'bigint').mockImplementation(() => (nanoseconds += 1000n));
    return () => {
      ticking.mockRestore();
      vi.useRealTimers();
    };
  });

  test('share one budget and return the shared remainder', async () => {
    const [one, other] = [await start(redis.url), await start(redis.url)];
    const answers = [await ask(one), await ask(other), await ask(one), await ask(other)];
    expect(answers.map(left)).toEqual([3, 2, 1, 0]);
    for (const refused of [await ask(one), await ask(other)]) {
      expectProblem(refused, 'rate_limited');
      expect([left(refused), refused.headers['ratelimit-reset'], refused.headers['retry-after']]).toEqual([
        0,
        '60',
        '60',
      ]);
    }
    expect([...one.logged, ...other.logged].map(({ fields }) => fields)).toEqual([
      { budget: 'read', scope: 'address', ip: '127.0.0.1' },
      { budget: 'read', scope: 'address', ip: '127.0.0.1' },
    ]);
  });

  test('accept exactly as many of 50 concurrent requests as the budget allows', async () => {
    const options = { rateLimits: { read: { address: of(17) } } };
    const both = [await start(redis.url, options), await start(redis.url, options)];
    const answers = await together(
      times(25, both)
        .flat()
        .map((instance) => () => ask(instance)),
    );
    expect(statuses(answers).filter((status) => status === 401)).toHaveLength(17);
    const shown = answers.filter(({ status }) => status === 401).map(left);
    expect(shown.sort((a, b) => b - a)).toEqual(Array.from({ length: 17 }, (_, index) => 16 - index));
  });

  test('log one warning when several concurrent requests are rejected', async () => {
    const [one, other] = [await start(redis.url), await start(redis.url)];
    await inTurn(4, () => ask(one));
    // `together` delays all responses, so the requests run concurrently.
    await redis.client.call('client', 'pause', '100');
    expect(statuses(await together(times(4, () => ask(other))))).toEqual([429, 429, 429, 429]);
    expect(other.logged).toHaveLength(1);
  });

  test('all accept a client again after the time in Retry-After', async () => {
    const [one, other] = [await start(redis.url), await start(redis.url)];
    await inTurn(2, () => ask(one));
    await turn(20);
    // The window in the memory of `other` begins here, later than the window in Redis.
    await ask(other);
    await ask(one);
    const rejected = [await ask(other), await ask(one)];
    // In Redis, the end of a window is rounded to a full second.
    const retryAfter = expect.stringMatching(/^4[01]$/);
    expect(rejected.map(({ headers }) => headers['retry-after'])).toEqual([retryAfter, retryAfter]);
    await inTurn(5, () => ask(other));
    await turn(38);
    expect(statuses([await ask(one), await ask(other)])).toEqual([429, 429]);
    await turn(3);
    expect(statuses([await ask(other), await ask(one)])).toEqual([401, 401]);
  });

  test('use a sliding window, so each expired request makes room for one new request', async () => {
    const instance = await start(redis.url);
    for (const seconds of [0, 20, 20, 10]) {
      await turn(seconds);
      await ask(instance);
    }
    await turn(11);
    expect(statuses(await inTurn(2, () => ask(instance)))).toEqual([401, 429]);
    await turn(20);
    expect(statuses(await inTurn(2, () => ask(instance)))).toEqual([401, 429]);
    expect(instance.logged).toHaveLength(1);
  });

  test('send no command to Redis for a request that they already know to be over the budget', async () => {
    const [one, other] = [await start(redis.url), await start(redis.url)];
    await inTurn(4, () => ask(one));
    await ask(other);
    const commands = async () =>
      Number(/total_commands_processed:(\d+)/.exec(await redis.client.info('stats'))?.[1]);
    const before = await commands();
    await inTurn(20, () => ask(one));
    await inTurn(20, () => ask(other));
    expect((await commands()) - before).toBe(1);
  });

  test('store only keys that expire and contain no username', async () => {
    const instance = await start(redis.url);
    const username = newUsername('user');
    await ask(instance);
    await guess(instance, username);
    const keys = (await redis.client.keys('*')).sort();
    expect(keys).toEqual([
      expect.stringMatching(/^latchkey:localhost:password:account:name:[\w-]{43}$/),
      'latchkey:localhost:password:address:127.0.0.1',
      'latchkey:localhost:read:address:127.0.0.1',
    ]);
    for (const key of keys) expect(await redis.client.pttl(key)).toBeGreaterThan(0);
  });

  test('do not share a budget with another relying party', async () => {
    const one = await start(redis.url);
    const other = await start(redis.url, { rpId: 'shop.example', origins: ['https://shop.example'] });
    expect(await untilRefused(one)).toBe(4);
    expect(await untilRefused(other)).toBe(4);
  });

  test('also count in memory, because a process whose clock is ahead removes counted requests from Redis too early', async () => {
    const instance = await start(redis.url);
    for (let request = 0; request < 4; request++) {
      expect((await ask(instance)).status).toBe(401);
      await redis.client.flushall();
    }
    expect((await ask(instance)).status).toBe(429);
  });

  test('keep counting after Redis loses the script', async () => {
    const instance = await start(redis.url);
    await ask(instance);
    await redis.client.script('FLUSH');
    expect(left(await ask(instance))).toBe(2);
    expect(instance.logged).toEqual([]);
  });

  test('set an expiry on a key that has no expiry yet', async () => {
    const key = 'latchkey:localhost:read:address:127.0.0.1';
    expect(await untilRefused(await start(redis.url))).toBe(4);
    await redis.client.persist(key);
    const instance = await start(redis.url);
    const refused = await ask(instance);
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '60']);
    await turn(60);
    expect((await ask(instance)).status).toBe(401);
    expect(await redis.client.pttl(key)).toBeGreaterThan(0);
  });

  test('close their Redis connection when the service closes', async () => {
    await eventually(async () => (await redis.connections()) === 0);
    const instance = await start(redis.url);
    await ask(instance);
    expect(await redis.connections()).toBe(1);
    await instance.auth.close();
    await eventually(async () => (await redis.connections()) === 0);
    expect(instance.logged).toEqual([]);
  });

  test('log that the Redis password is wrong, but do not log the password', async () => {
    await redis.client.config('SET', 'requirepass', 'the right one');
    const instance = await start(redis.url.replace('//', '//:a-wrong-password@'));
    await ask(instance);
    expect(instance.logged).toEqual([away]);
    expect(instance.logged[0]?.fields).toMatchObject({ reason: expect.stringContaining('WRONGPASS') });
    expect(JSON.stringify(instance.logged)).not.toContain('a-wrong-password');
    await redis.client.config('SET', 'requirepass', '');
  });

  async function turn(seconds: number): Promise<void> {
    limits.turnClock({ seconds });
    await redis.turnClock({ seconds });
  }
});

describe.skipIf(!hasRedis)('when Redis', () => {
  const timeouts = holdRedisTimeouts(commandMs, startMs, socketMs);
  let redis: RedisServer;
  /** After a failure, the service tries Redis again when this clock has advanced by one second. */
  let monotonicMs: number;
  beforeEach(async () => {
    redis = await startRedisServer();
    monotonicMs = performance.now();
    const monotonic = vi.spyOn(performance, 'now').mockImplementation(() => monotonicMs);
    return () => monotonic.mockRestore();
  });
  afterEach(() => redis.remove());

  /**
   * Sends requests until Redis counts again. A rejected request does not reach Redis, so each try uses a new window.
   */
  const untilBack = (instance: ServiceOn) =>
    eventually(async () => {
      limits.turnClock({ seconds: 60 });
      monotonicMs += 1000;
      await ask(instance);
      return instance.logged.some(({ level }) => level === 'info');
    });
  const aboutRedis = ({ logged }: ServiceOn) => logged.filter(({ message }) => message.startsWith('Redis'));

  test('is unreachable at startup, each process starts and counts by itself', async () => {
    await redis.crash();
    const both = [await start(redis.url), await start(redis.url)];
    for (const instance of both) {
      expect(await untilRefused(instance)).toBe(4);
      expect(aboutRedis(instance)).toEqual([away]);
    }
    await redis.start();
    for (const instance of both) {
      await untilBack(instance);
      expect(aboutRedis(instance)).toEqual([away, back]);
    }
  });

  test('is killed, each process continues with its own count; after Redis restarts, all processes share one count again', async () => {
    const options = { rateLimits: { read: { address: of(100) }, ceremony: { address: of(4) } } };
    const [one, other] = [await start(redis.url, options), await start(redis.url, options)];
    const spend = (instance: ServiceOn) =>
      send(instance.url, '/auth/passkey/stepup/start', { method: 'POST' });
    await inTurn(3, () => spend(one));
    await redis.crash();
    expect(statuses(await inTurn(2, () => spend(one)))).toEqual([401, 429]);
    expect(statuses(await inTurn(5, () => spend(other)))).toEqual([401, 401, 401, 401, 429]);

    await redis.start();
    await untilBack(one);
    await untilBack(other);
    limits.turnClock({ seconds: 60 });
    expect(statuses(await inTurn(2, () => spend(one)))).toEqual([401, 401]);
    expect(statuses(await inTurn(3, () => spend(other)))).toEqual([401, 401, 429]);
    for (const instance of [one, other]) expect(aboutRedis(instance)).toEqual([away, back]);
  });

  test('hangs, one request waits briefly and the next requests do not wait', async () => {
    const options = { rateLimits: { read: { address: of(100) } } };
    const instance = await start(redis.url, options);
    await ask(instance);
    redis.hang();
    const first = ask(instance);
    await eventually(() => timeouts.pending(commandMs) === 1);
    timeouts.expire(commandMs);
    expect((await first).status).toBe(401);
    // The clock does not move here, so these requests do not wait for Redis.
    expect((await inTurn(4, () => ask(instance))).map(left)).toEqual([97, 96, 95, 94]);
    expect(aboutRedis(instance)).toEqual([away]);
    redis.resume();
    await untilBack(instance);
    expect(aboutRedis(instance)).toEqual([away, back]);
  });

  test('hangs until the connection is dropped, the service reconnects automatically', async () => {
    const options = { rateLimits: { read: { address: of(1_000_000) } } };
    const instance = await start(redis.url, options);
    await ask(instance);
    const connected = (await redis.client.call('client', 'list', 'type', 'normal')) as string;
    redis.hang();
    const waiting = ask(instance);
    await eventually(() => timeouts.pending(socketMs) === 1);
    timeouts.expire(socketMs);
    expect((await waiting).status).toBe(401);
    redis.resume();
    await untilBack(instance);
    const again = (await redis.client.call('client', 'list', 'type', 'normal')) as string;
    const ids = (list: string) => [...list.matchAll(/^id=(\d+)/gm)].map(([, id]) => id).join();
    expect(ids(again)).not.toBe(ids(connected));
    expect(aboutRedis(instance)).toEqual([away, back]);
  });

  test('hangs, a service still starts and closes', async () => {
    redis.hang();
    let started = false;
    const starting = start(redis.url).finally(() => {
      started = true;
    });
    await eventually(() => {
      timeouts.expire(commandMs);
      timeouts.expire(startMs);
      return started;
    });
    const instance = await starting;
    expect(await untilRefused(instance)).toBe(4);
    expect(aboutRedis(instance)).toEqual([away]);
    await instance.auth.close();
    redis.resume();
  });

  test('rejects writes, each process counts by itself', async () => {
    await redis.client.config('SET', 'maxmemory', '1');
    const instance = await start(redis.url);
    expect(await untilRefused(instance)).toBe(4);
    expect(aboutRedis(instance)).toMatchObject([
      { level: 'warn', fields: { reason: expect.stringContaining('OOM') } },
    ]);
  });
});

test('a service starts even if Redis accepts connections but never responds', async () => {
  const connections = new Set<Socket>();
  const silent = createServer((socket) => connections.add(socket.on('error', () => {})));
  const port = await freePort();
  await new Promise<void>((done) => silent.listen(port, '127.0.0.1', done));
  const instance = await start(`redis://127.0.0.1:${port}`);
  expect(await untilRefused(instance)).toBe(4);
  for (const connection of connections) connection.destroy();
  silent.close();
});

describe('while Redis loads its data from disk', () => {
  const timeouts = holdRedisTimeouts(startMs);

  test('a service starts and counts by itself', async () => {
    const connections = new Set<Socket>();
    const loading = createServer((socket) => {
      connections.add(socket.on('error', () => {}));
      const info = 'loading:1\r\n';
      socket.on('data', (sent) => {
        socket.write(/info/i.test(`${sent}`) ? `$${info.length}\r\n${info}\r\n` : '-LOADING\r\n');
      });
    });
    const port = await freePort();
    await new Promise<void>((done) => loading.listen(port, '127.0.0.1', done));
    const starting = start(`redis://127.0.0.1:${port}`);
    await eventually(() => timeouts.pending(startMs) === 1 && connections.size > 0);
    timeouts.expire(startMs);
    expect(await untilRefused(await starting)).toBe(4);
    for (const connection of connections) connection.destroy();
    loading.close();
  });
});

test('if the package ioredis is missing, a service with redisUrl does not start, and the error names the package', async () => {
  const repository = fileURLToPath(new URL('../../', import.meta.url));
  const directory = await mkdtemp(join(tmpdir(), 'latchkey-without-ioredis-'));
  const packages = (await readdir(join(repository, 'node_modules'))).filter((name) => name !== 'ioredis');
  await mkdir(join(directory, 'node_modules'));
  for (const name of packages)
    await symlink(join(repository, 'node_modules', name), join(directory, 'node_modules', name));
  const options = { database: service.database.url, secret, env: {}, redisUrl: 'redis://127.0.0.1:1' };
  await build({
    stdin: {
      resolveDir: repository,
      contents: `import { createAuthService } from './src/index.ts';
        await createAuthService(${JSON.stringify(options)}).catch((error) => console.log(String(error)));`,
    },
    outfile: join(directory, 'program.mjs'),
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
  });
  const { stdout } = await promisify(execFile)(process.execPath, [join(directory, 'program.mjs')]);
  expect(stdout).toContain('ConfigurationError: Invalid configuration:');
  expect(stdout).toContain(
    'redisUrl (REDIS_URL): given a URL; expected the package ioredis to be installed: npm install ioredis',
  );
  await removeFolder(directory);
});
