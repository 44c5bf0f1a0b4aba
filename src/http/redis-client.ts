import type { Cluster, Redis, RedisOptions } from 'ioredis';
import { ConfigurationError } from '../core/config-fault.ts';
import { second } from '../core/duration.ts';
import { parseRedisUrl, type RedisAddress } from '../core/redis-url.ts';

/** The part of an ioredis client (`Redis` or `Cluster`) that the rate limits use. */
export interface RedisClient {
  defineCommand(name: string, definition: { lua: string; numberOfKeys?: number }): void;
  zremrangebyrank(key: string, start: number, stop: number): Promise<number>;
  on(event: 'error' | 'ready', listener: (error: Error) => void): unknown;
  off(event: 'error' | 'ready', listener: (error: Error) => void): unknown;
}

const options = {
  lazyConnect: true,
  // With these three options, a command fails at once if there is no connection, and ioredis never sends it again.
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  autoResendUnfulfilledCommands: false,
  connectTimeout: 1 * second,
  commandTimeout: 250,
  socketTimeout: 2 * second,
  disconnectTimeout: 250,
  // After a failover, the old primary is a replica. A new connection can reach the new primary.
  reconnectOnError: ({ message }: Error) => message.startsWith('READONLY'),
} satisfies RedisOptions;

/**
 * Creates a client that is not connected yet.
 *
 * @throws ConfigurationError if the optional peer `ioredis` is not installed, or if the URL is invalid
 */
export async function createRedisClient(url: string): Promise<Redis | Cluster> {
  const { Redis, Cluster } = await loadIoredis();
  const address = parseRedisUrl(url);
  if (address === null)
    throw new ConfigurationError([
      { setting: 'redisUrl (REDIS_URL)', given: 'a text', expected: 'a URL such as redis://host:port' },
    ]);
  const { kind, nodes, primaryName, database } = address;
  const account = { ...options, ...accountOf(address) };
  if (kind === 'cluster') {
    const { lazyConnect, enableOfflineQueue, ...redisOptions } = account;
    return new Cluster(nodes, { lazyConnect, enableOfflineQueue, redisOptions });
  }
  if (kind === 'sentinel') {
    return new Redis({
      ...account,
      db: database,
      sentinels: nodes,
      name: primaryName ?? '',
      sentinelCommandTimeout: 1 * second,
      sentinelRetryStrategy: (times) => Math.min(50 * 2 ** times, 1 * second),
      // Subscribes to the Sentinels, so that ioredis reconnects even if the old primary keeps the connection
      // open.
      failoverDetector: true,
      ...(address.tls && { enableTLSForSentinelMode: true, sentinelTLS: {} }),
    });
  }
  return new Redis({ ...account, ...nodes[0], db: database });
}

const accountOf = ({ tls, username, password }: RedisAddress): RedisOptions => ({
  ...(username !== null && { username }),
  ...(password !== null && { password }),
  ...(tls && { tls: {} }),
});

async function loadIoredis(): Promise<Pick<typeof import('ioredis'), 'Redis' | 'Cluster'>> {
  try {
    const { Redis, Cluster } = await import('ioredis');
    return { Redis, Cluster };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    const expected = 'the package ioredis to be installed: npm install ioredis';
    throw new ConfigurationError([{ setting: 'redisUrl (REDIS_URL)', given: 'a URL', expected }]);
  }
}
