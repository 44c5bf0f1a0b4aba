import type { Redis } from 'ioredis';
import { ConfigurationError } from '../core/config-fault.ts';
import { second } from '../core/duration.ts';
import type { Logger } from '../core/logger.ts';

/** Redis, where the processes of a service count together. */
export interface RedisStore {
  /** The `db` for koa-ratelimit's redis driver. */
  readonly client: Redis;
  /** Runs a command on `client`. Returns null if Redis does not answer, or did not within the last second. */
  attempt<Answer>(command: () => Promise<Answer>): Promise<Answer | null>;
  close(): void;
}

const commandTimeoutMs = 250;
const retryDelayMs = 1 * second;

/**
 * Waits at most 1.5 seconds for the connection. The service starts without Redis, too.
 *
 * @throws ConfigurationError if the optional peer `ioredis` is not installed
 */
export async function connectRedis(url: string, log: Logger): Promise<RedisStore> {
  const Client = await loadClient();
  const client = new Client(url, {
    lazyConnect: true,
    // Requests do not wait for a connection, and none is counted a second time after a reconnect.
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    connectTimeout: 1 * second,
    commandTimeout: commandTimeoutMs,
    socketTimeout: 2 * second,
    disconnectTimeout: commandTimeoutMs,
    retryStrategy: (attempt) => Math.min(attempt * 100, 2 * second),
  });
  let available = true;
  let closed = false;
  let retryAt = 0;

  function lost({ message, code }: NodeJS.ErrnoException): void {
    retryAt = performance.now() + retryDelayMs;
    // Only the reason: the error can contain the command, and the command the password.
    if (available && !closed)
      log.warn({ reason: message || code }, 'Redis is unreachable: each process counts rate limits alone');
    available = false;
  }

  client.on('error', lost);
  client.on('ready', () => {
    retryAt = 0;
  });
  await client.connect().catch(lost);

  return {
    client,
    async attempt(command) {
      const retries = !available;
      if (retries) {
        if (performance.now() < retryAt) return null;
        // While this request retries, the others do not wait.
        retryAt = performance.now() + retryDelayMs;
      }
      try {
        const answer = await command();
        // An answer to a command sent before the failure does not mean that Redis has returned.
        if (retries && !available) {
          available = true;
          log.info({}, 'Redis is reachable again: the processes count rate limits together');
        }
        return answer;
      } catch (error) {
        lost(error as Error);
        return null;
      }
    },
    close() {
      closed = true;
      client.disconnect();
    },
  };
}

async function loadClient(): Promise<typeof Redis> {
  try {
    return (await import('ioredis')).Redis;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    const expected = 'the package ioredis beside it: npm install ioredis';
    throw new ConfigurationError([{ variable: 'REDIS_URL', given: 'a URL', expected }]);
  }
}
