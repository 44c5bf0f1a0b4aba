import type { Redis } from 'ioredis';
import { ConfigurationError } from '../core/config-fault.ts';
import { second } from '../core/duration.ts';
import type { Logger } from '../core/logger.ts';

export type RedisStore = Awaited<ReturnType<typeof connectRedis>>;

/** The service must also start while Redis is unreachable or loads its data from disk. */
const startTimeoutMs = 1500;

/**
 * Connects to Redis, which counts requests for all processes of a service. Waits at most 1.5 seconds for Redis.
 *
 * @throws ConfigurationError if the optional peer `ioredis` is not installed
 */
export async function connectRedis(url: string, log: Logger) {
  const Client = await loadClient();
  const client = new Client(url, {
    lazyConnect: true,
    // With these three options, a command fails at once if there is no connection, and ioredis never sends it again.
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    connectTimeout: 1 * second,
    commandTimeout: 250,
    socketTimeout: 2 * second,
    disconnectTimeout: 250,
  });
  let available = true;
  let closed = false;
  let retryAt = 0;

  function lost({ message, code }: NodeJS.ErrnoException): void {
    retryAt = performance.now() + 1 * second;
    // Logs only the reason, because the error can contain the command, and the command can contain the password.
    if (available && !closed)
      log.warn({ reason: message || code }, 'Redis is unreachable, so each process counts rate limits alone');
    available = false;
  }

  /** Runs a command. Returns null if the command fails, or if Redis was unreachable less than a second ago. */
  async function attempt<Answer>(command: () => Promise<Answer>): Promise<Answer | null> {
    const retries = !available;
    if (retries && performance.now() < retryAt) return null;
    // While Redis is unreachable, only one request a second tries Redis. All other requests do not wait.
    retryAt = performance.now() + 1 * second;
    try {
      const answer = await command();
      // If `retries` is false, the command was sent before Redis became unreachable. A late reply to such a command
      // does not mean that Redis is reachable again.
      if (retries && !available) {
        available = true;
        log.info({}, 'Redis is reachable again, so the processes count rate limits together');
      }
      return answer;
    } catch (error) {
      lost(error as Error);
      return null;
    }
  }

  /** Removes the newest request from the requests that koa-ratelimit has counted under a key. */
  const removeNewest = (key: string) => attempt(() => client.zremrangebyrank(key, -1, -1));

  function close(): void {
    closed = true;
    client.disconnect();
  }

  client.on('error', lost);
  client.on('ready', () => {
    retryAt = 0;
  });
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(() => {
      lost(new Error(`not ready after ${startTimeoutMs} ms`));
      resolve();
    }, startTimeoutMs);
  });
  await Promise.race([client.connect().catch(lost), timeout]);
  clearTimeout(timer);
  return { client, attempt, removeNewest, close };
}

async function loadClient(): Promise<typeof Redis> {
  try {
    return (await import('ioredis')).Redis;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    const expected = 'the package ioredis to be installed: npm install ioredis';
    throw new ConfigurationError([{ setting: 'redisUrl (REDIS_URL)', given: 'a URL', expected }]);
  }
}
