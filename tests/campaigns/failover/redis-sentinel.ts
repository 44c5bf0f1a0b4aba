import { chown, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { until } from './wait.ts';
import { freePorts, type Program, type Workspace } from './workspace.ts';

/** Redis with one primary, one replica and three Sentinels. */
export interface RedisSentinel {
  readonly url: string;
  /** Returns a function that kills the current primary. */
  prepareKill(): Promise<() => Promise<void>>;
  /** Starts the server that was killed. The Sentinels make it a replica. */
  restart(): Promise<void>;
}

const primaryName = 'limits';

export async function startRedis(workspace: Workspace, program: string): Promise<RedisSentinel> {
  const [first = 0, second = 0, ...sentinelPorts] = await freePorts(5);
  const running = new Map<number, Program>();
  const folders = new Map<number, string>();
  let killed = 0;

  async function startServer(port: number, ...options: string[]): Promise<void> {
    // A replica writes the data of the primary to this folder before it loads them.
    const folder = folders.get(port) ?? (await workspace.createFolder(`redis-${port}`));
    folders.set(port, folder);
    const address = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--dir', folder];
    running.set(port, workspace.start(`redis-${port}`, [program, ...address, ...options]));
    await until('Redis starts', async () => (await ask(port, 'ping')) === 'PONG');
  }

  async function startSentinel(port: number): Promise<void> {
    const folder = await workspace.createFolder(`sentinel-${port}`);
    const file = join(folder, 'sentinel.conf');
    const settings = [
      `port ${port}`,
      'bind 127.0.0.1',
      `dir ${folder}`,
      `sentinel monitor ${primaryName} 127.0.0.1 ${first} 2`,
      `sentinel down-after-milliseconds ${primaryName} 2000`,
      `sentinel failover-timeout ${primaryName} 10000`,
    ];
    await writeFile(file, `${settings.join('\n')}\n`);
    // A Sentinel writes to its own configuration.
    if (workspace.account) await chown(file, workspace.account.uid, workspace.account.gid);
    workspace.start(`sentinel-${port}`, [program, file, '--sentinel']);
    await until('the Sentinel knows the replica and the other Sentinels', async () => {
      const replicas = await ask(port, 'sentinel', 'replicas', primaryName);
      return Array.isArray(replicas) && replicas.length === 1;
    });
  }

  async function primaryPort(): Promise<number> {
    const [, port] = (await ask(
      sentinelPorts[0] ?? 0,
      'sentinel',
      'get-master-addr-by-name',
      primaryName,
    )) as string[];
    return Number(port);
  }

  await startServer(first);
  await startServer(second, '--replicaof', '127.0.0.1', `${first}`);
  await until('the replica has copied the primary', async () =>
    `${await ask(second, 'info', 'replication')}`.includes('master_link_status:up'),
  );
  await Promise.all(sentinelPorts.map(startSentinel));
  for (const port of sentinelPorts)
    await until('the Sentinels know each other', async () => {
      const others = await ask(port, 'sentinel', 'sentinels', primaryName);
      return Array.isArray(others) && others.length === sentinelPorts.length - 1;
    });
  return {
    url: `redis+sentinel://${sentinelPorts.map((port) => `127.0.0.1:${port}`).join(',')}/${primaryName}`,
    async prepareKill() {
      killed = await primaryPort();
      return async () => running.get(killed)?.kill();
    },
    restart: () => startServer(killed),
  };
}

/** Sends one command to a server. Returns null if the server does not respond. */
async function ask(port: number, command: string, ...args: string[]): Promise<unknown> {
  const client = new Redis({ port, lazyConnect: true, retryStrategy: () => null, commandTimeout: 1000 });
  client.on('error', () => {});
  try {
    await client.connect();
    return await client.call(command, ...args);
  } catch {
    return null;
  } finally {
    client.disconnect();
  }
}
