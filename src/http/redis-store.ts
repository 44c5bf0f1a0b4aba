import type { Redis } from 'ioredis';
import { ConfigurationError } from '../core/config-fault.ts';
import { second } from '../core/duration.ts';
import type { Logger } from '../core/logger.ts';

export type RedisStore = Awaited<ReturnType<typeof connectRedis>>;

/**
 * Connects to the Redis in which the processes of a service count together. Waits at most 1.5 seconds: the service also
 * starts while Redis is unreachable.
 *
 * @throws ConfigurationError if the optional peer `ioredis` is not installed
 */
export async function connectRedis(url: string, log: Logger) {
  const Client = await loadClient();
  const client = new Client(url, {
    lazyConnect: true,
    // Requests do not wait for a connection, and are not counted again on the next one.
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
    // Only the reason is logged: the error can hold the command, and the command the password.
    if (available && !closed)
      log.warn({ reason: message || code }, 'Redis is unreachable: each process counts rate limits alone');
    available = false;
  }

  /** Runs a command. Returns null if Redis does not answer, or failed less than a second ago. */
  async function attempt<Answer>(command: () => Promise<Answer>): Promise<Answer | null> {
    const retries = !available;
    if (retries && performance.now() < retryAt) return null;
    // One request retries; the others do not wait for it.
    retryAt = performance.now() + 1 * second;
    try {
      const answer = await command();
      // A late answer to a command sent before the failure does not mean that Redis has returned.
      if (retries && !available) {
        available = true;
        log.info({}, 'Redis is reachable again: the processes count rate limits together');
      }
      return answer;
    } catch (error) {
      lost(error as Error);
      return null;
    }
  }

  function close(): void {
    closed = true;
    client.disconnect();
  }

  client.on('error', lost);
  client.on('ready', () => {
    retryAt = 0;
  });
  await client.connect().catch(lost);
  return { client, attempt, close };
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
