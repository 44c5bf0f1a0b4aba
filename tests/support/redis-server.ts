import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, writeFile } from 'node:fs/promises';
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
  readonly port: number;
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

/** @param options options of the command line, such as `--cluster-enabled yes` */
export async function startRedisServer(...options: string[]): Promise<RedisServer> {
  const directory = await mkdtemp(join(tmpdir(), 'latchkey-redis-'));
  // Another test can take the free port before Redis does.
  for (;;) {
    const server = await startOn(await freePort(), directory, options);
    if (server) return server;
  }
}

/** Returns null if Redis exits before it responds. */
async function startOn(port: number, directory: string, options: string[]): Promise<RedisServer | null> {
  const url = `redis://127.0.0.1:${port}`;
  const client = new Redis(url, { lazyConnect: true, retryStrategy: () => 50 });
  // Each failed attempt to connect emits an error.
  client.on('error', () => {});
  let running: ChildProcess;
  const start = async () => {
    const byDefault = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--dir', directory];
    running = spawn(program, [...byDefault, ...options], { stdio: 'ignore' });
    return isReady(running, () => client.ping());
  };
  const crash = async () => {
    if (running.exitCode !== null || running.signalCode !== null) return;
    const exit = once(running, 'exit');
    running.kill('SIGKILL');
    await exit;
  };
  if (!(await start())) {
    client.disconnect();
    return null;
  }
  return {
    url,
    port,
    client,
    start: async () => {
      if (!(await start())) throw new Error(`Redis cannot restart on port ${port}`);
    },
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

/** Waits until the server responds. Returns false if the process exits first. */
async function isReady(running: ChildProcess, ping: () => Promise<unknown>): Promise<boolean> {
  await eventually(
    async () =>
      running.exitCode !== null ||
      ping().then(
        () => true,
        () => false,
      ),
  );
  return running.exitCode === null;
}

export interface Sentinel {
  readonly port: number;
  primaryPort(): Promise<number>;
  /**
   * Makes the Sentinel promote the replica as soon as the primary has not responded for a second. A Sentinel never
   * promotes a replica that lost its primary more than ten times as long before, so call this directly after a crash.
   */
  watch(): Promise<void>;
  remove(): Promise<void>;
}

/** Starts a Sentinel. Until `watch`, it does not replace a primary that responds late on a busy machine. */
export async function startSentinel(primaryPort: number): Promise<Sentinel> {
  const directory = await mkdtemp(join(tmpdir(), 'latchkey-sentinel-'));
  for (;;) {
    const sentinel = await startSentinelOn(await freePort(), directory, primaryPort);
    if (sentinel) return sentinel;
  }
}

async function startSentinelOn(
  port: number,
  directory: string,
  primaryPort: number,
): Promise<Sentinel | null> {
  const file = join(directory, 'sentinel.conf');
  const settings = [
    `port ${port}`,
    'bind 127.0.0.1',
    `dir ${directory}`,
    `sentinel monitor limits 127.0.0.1 ${primaryPort} 1`,
    'sentinel down-after-milliseconds limits 60000',
    'sentinel failover-timeout limits 3000',
  ];
  await writeFile(file, `${settings.join('\n')}\n`);
  const running = spawn(program, [file, '--sentinel'], { stdio: 'ignore' });
  const client = new Redis(`redis://127.0.0.1:${port}`, { retryStrategy: () => 50 });
  client.on('error', () => {});
  const ask = async (...command: [string, ...string[]]) => (await client.call(...command)) as string[];
  if (!(await isReady(running, () => client.ping()))) {
    client.disconnect();
    return null;
  }
  // The Sentinel must know the replica before the primary fails.
  await eventually(async () => (await ask('sentinel', 'replicas', 'limits')).length > 0);
  return {
    port,
    watch: async () => void (await ask('sentinel', 'set', 'limits', 'down-after-milliseconds', '1000')),
    primaryPort: async () => Number((await ask('sentinel', 'get-master-addr-by-name', 'limits'))[1]),
    async remove() {
      client.disconnect();
      const exit = once(running, 'exit');
      running.kill('SIGKILL');
      await exit;
      await removeFolder(directory);
    },
  };
}
