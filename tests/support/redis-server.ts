import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { eventually } from './eventually.ts';
import { freePort } from './example-server.ts';
import { removeFolder } from './remove-folder.ts';

const program = 'redis-server';

/** A Redis server for one test file. It can crash, hang and restart. */
export interface RedisServer {
  readonly url: string;
  /** A client of the test, for reading keys without the service. */
  readonly client: Redis;
  /** Returns the number of connections, not counting the connection of `client`. */
  connections(): Promise<number>;
  /** Moves the counted requests and the expiry of their keys into the past. */
  turnClock(by: { seconds: number }): Promise<void>;
  /** Kills the server, so all keys are lost. */
  crash(): Promise<void>;
  /** Restarts the server on the same port without keys. */
  start(): Promise<void>;
  /** Suspends the process. Connections stay open, but the server does not respond. */
  hang(): void;
  resume(): void;
  remove(): Promise<void>;
}

/** Returns whether Redis is installed. With CI=true, throws if it is not installed. */
export function findRedis(): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    if (process.env.CI === 'true') throw new Error('CI needs Redis: apt-get install redis-server');
    process.stdout.write(
      'skipped: tests of rate limits in Redis, because redis-server is not installed (apt-get install redis-server)\n',
    );
    return false;
  }
}

export async function startRedisServer(): Promise<RedisServer> {
  const directory = await mkdtemp(join(tmpdir(), 'latchkey-redis-'));
  const port = await freePort();
  const url = `redis://127.0.0.1:${port}`;
  const client = new Redis(url, { lazyConnect: true, retryStrategy: () => 50 });
  // Each failed attempt to connect emits an error.
  client.on('error', () => {});
  let running: ChildProcess;
  const start = async () => {
    running = spawn(program, ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--dir', directory], {
      stdio: 'ignore',
    });
    await eventually(() =>
      client.ping().then(
        () => true,
        () => false,
      ),
    );
  };
  const crash = async () => {
    const exit = once(running, 'exit');
    running.kill('SIGKILL');
    await exit;
  };
  await start();
  return {
    url,
    client,
    start,
    crash,
    async connections() {
      const list = await client.call('client', 'list', 'type', 'normal');
      return `${list}`.trim().split('\n').length - 1;
    },
    async turnClock({ seconds }) {
      for (const key of await client.keys('*')) {
        const left = await client.pttl(key);
        const requests = await client.zrange(key, '0', '-1');
        // The key holds a sorted set of times in milliseconds. Each time is both the member and the score.
        const earlier = requests.map((time) => Number(time) - seconds * 1000);
        await client.del(key);
        await client.zadd(key, ...earlier.flatMap((time) => [time, `${time}`]));
        if (left > 0) await client.pexpire(key, left - seconds * 1000);
      }
    },
    hang: () => void running.kill('SIGSTOP'),
    resume: () => void running.kill('SIGCONT'),
    async remove() {
      client.disconnect();
      await crash();
      await removeFolder(directory);
    },
  };
}
