import type { Redis } from 'ioredis';
import { ConfigurationError } from '../core/config-fault.ts';
import { second } from '../core/duration.ts';
import type { Logger } from '../core/logger.ts';

/** Counters in Redis, for several processes together. Redis may be away: then nobody waits for it. */
export interface SharedCounters {
  readonly client: Redis;
  /** Asks Redis by a call on `client`; null where it does not answer, or did not a moment ago. */
  ask<Answer>(question: () => Promise<Answer>): Promise<Answer | null>;
  close(): void;
}

/** How long one request waits for Redis at the most. */
const patience = 250;
/** How long nobody asks a Redis again that has not answered. */
const pause = 1 * second;

/**
 * Counts one in a window that begins with the first. koa-ratelimit's own script is replaced, as ioredis lets one: it
 * counts requests of the same instant as one, goes by each process's clock instead of Redis's, keeps a member for every
 * request and rounds the end of a window down. The answer has the same three places; the second is the milliseconds
 * until the window is over. Redis keeps a key for its last millisecond, too, hence the one less.
 */
const count = `
  local duration, max = tonumber(ARGV[2]), tonumber(ARGV[3])
  local spent = tonumber(redis.call('get', KEYS[1]) or 0)
  if spent < max then redis.call('incr', KEYS[1]) end
  local left = redis.call('pttl', KEYS[1])
  if left < 0 then
    left = duration - 1
    redis.call('pexpire', KEYS[1], left)
  end
  return { max - math.min(spent, max), left + 1, max }`;

/**
 * Connects, in a second and a half at the most; a Redis that is away is no reason not to start.
 *
 * @throws ConfigurationError where the optional peer `ioredis` is not installed
 */
export async function connectSharedCounters(url: string, log: Logger): Promise<SharedCounters> {
  const Client = await loadClient();
  const client = new Client(url, {
    lazyConnect: true,
    // No request waits for a connection, or is counted a second time on the next one.
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    connectTimeout: 1 * second,
    commandTimeout: patience,
    // A connection that has fallen silent is given up, and one that ends is not waited for.
    socketTimeout: 2 * second,
    disconnectTimeout: patience,
    retryStrategy: (attempt) => Math.min(attempt * 100, 2 * second),
    scripts: { ratelimiter: { lua: count, numberOfKeys: 1 } },
  });
  const presence = new Presence(log);
  client.on('error', (error) => presence.lost(error));
  client.on('ready', () => presence.mayHaveReturned());
  await client.connect().catch((error) => presence.lost(error));
  return {
    client,
    ask: (question) => presence.ask(question),
    close: () => {
      presence.forget();
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

/** Whether Redis answers, as far as is known, and whoever should know of it told once. */
class Presence {
  readonly #log: Logger;
  #away = false;
  #over = false;
  #askAgainAt = 0;

  constructor(log: Logger) {
    this.#log = log;
  }

  async ask<Answer>(question: () => Promise<Answer>): Promise<Answer | null> {
    const wasAway = this.#away;
    if (wasAway && !this.#isTimeToAsk()) return null;
    try {
      const answer = await question();
      // An answer to what was asked before it went away says nothing.
      if (wasAway) this.#returned();
      return answer;
    } catch (error) {
      this.lost(error as Error);
      return null;
    }
  }

  lost({ message, code }: NodeJS.ErrnoException): void {
    this.#askAgainAt = performance.now() + pause;
    if (this.#away || this.#over) return;
    this.#away = true;
    // The reason alone: an error of the client may carry the command, and that the password.
    this.#log.warn(
      { reason: message || code },
      'Redis is away: until it is back, each process limits by itself',
    );
  }

  /** A new connection need not wait for the time to ask. */
  mayHaveReturned(): void {
    this.#askAgainAt = 0;
  }

  /** From now on it does not matter. */
  forget(): void {
    this.#over = true;
  }

  /** Lets one request ask again; those that come meanwhile go on without an answer. */
  #isTimeToAsk(): boolean {
    if (performance.now() < this.#askAgainAt) return false;
    this.#askAgainAt = performance.now() + pause;
    return true;
  }

  #returned(): void {
    if (!this.#away) return;
    this.#away = false;
    this.#log.info({}, 'Redis is back: the processes limit together again');
  }
}
