import { second } from '../core/duration.ts';
import type { Logger } from '../core/logger.ts';
import { createRedisClient, type RedisClient } from './redis-client.ts';

export type RedisStore = Awaited<ReturnType<typeof connectRedis>>;

/** The service must also start while Redis is unreachable or loads its data from disk. */
const startTimeoutMs = 1500;

/** How long a request waits for the application's Redis client, which may have no time limit of its own. */
const answerTimeoutMs = 500;

/**
 * Connects to Redis, which counts requests for all processes of a service. Waits at most 1.5 seconds for Redis.
 *
 * @param source the URL, or a client of the application, which the service neither connects nor closes
 * @throws ConfigurationError if the optional peer `ioredis` is not installed
 */
export async function connectRedis(source: string | RedisClient, log: Logger) {
  const own = typeof source === 'string' ? await createRedisClient(source) : null;
  const client: RedisClient = own ?? (source as RedisClient);
  let available = true;
  let closed = false;
  let retryAt = 0;
  let reconnect: NodeJS.Timeout | undefined;

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
      const answer = await (own ? command() : inTime(command()));
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
    clearTimeout(reconnect);
    own?.disconnect();
    // `disconnect` can interrupt a connection, and ioredis then emits an error, so this client keeps its
    // listeners.
    if (own) return;
    client.off('error', lost);
    client.off('ready', retryNow);
  }

  /** Connects the service's own client. Waits until Redis is ready, but at most 1.5 seconds. */
  async function connect(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<void>((resolve) => {
      timer = setTimeout(() => {
        lost(new Error(`not ready after ${startTimeoutMs} ms`));
        resolve();
      }, startTimeoutMs);
    });
    await Promise.race([own?.connect().catch(lost), timeout]);
    clearTimeout(timer);
  }

  const retryNow = () => {
    retryAt = 0;
  };
  client.on('error', lost);
  client.on('ready', retryNow);
  // ioredis connects again after a lost connection. But it ends for good if a Sentinel announces a failover while it
  // asks a Sentinel for the primary.
  own?.on('end', () => {
    if (!closed) reconnect = setTimeout(() => own.connect().catch(lost), 1 * second);
  });
  if (own) await connect();
  return { client, attempt, removeNewest, isShared: () => available, close };
}

/** @throws Error if Redis does not answer in time */
async function inTime<Answer>(answer: Promise<Answer>): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${answerTimeoutMs} ms`)), answerTimeoutMs);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
