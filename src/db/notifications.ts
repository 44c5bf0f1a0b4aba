import { randomUUID } from 'node:crypto';
import type { Database, Subscription } from '../core/database.ts';
import { minute, second } from '../core/duration.ts';
import type { Logger } from '../core/logger.ts';
import { sql } from './sql.ts';
import { statementTimeoutMs } from './statement-timeout.ts';

type Listen = NonNullable<Database['listen']>;

export interface Listener {
  /** Called when the channel works. Notifications from before this call can be lost. */
  onListening(): void;
  onNotification(payload: string): void;
  /** Called when the channel no longer works. Notifications can be lost until the next `onListening`. */
  onLost(): void;
}

/** How long to wait for the probe, the test notification that `keepListening` sends. */
const probeTimeout = 2 * second;
/** How long to wait for the driver to close a connection to a server that hangs. */
const closeTimeout = second;
/**
 * How often the service checks the connection, and how long a check can take. Their sum is less than the five
 * seconds for which the cache keeps a session.
 */
const checkInterval = 2 * second;
const checkTimeout = 2 * second;
const firstPause = second / 20;
const longestPause = 5 * second;
/** The pause after a probe that did not arrive. */
const undeliveredPause = minute;

/**
 * Listens to a channel, and reconnects until stopped.
 *
 * A transaction pooler, such as PgBouncer in transaction mode, accepts `listen` but delivers no notifications. To
 * detect a transaction pooler, this function sends a probe (a test notification) through the ordinary connection pool.
 * The channel works if the probe arrives.
 *
 * @returns a function that stops listening
 */
export function keepListening(
  db: Database,
  channel: string,
  listener: Listener,
  log: Logger,
): () => Promise<void> {
  const { listen } = db;
  if (listen === undefined) return async () => {};
  let stopped = false;
  let stop = () => {};
  const whenStopped = new Promise<void>((resolve) => {
    stop = resolve;
  });
  let problem: 'lost' | 'undelivered' | null = null;

  /** Logs a problem once, not at every attempt to reconnect. */
  function warnOnce(found: 'lost' | 'undelivered', fields: object, message: string): void {
    if (problem !== found && !stopped) log.warn({ channel, ...fields }, message);
    problem = found;
  }

  /**
   * Opens one connection and waits until it ends.
   *
   * @returns milliseconds to wait before the next connection
   */
  async function listenOnce(open: Listen, pause: number): Promise<number> {
    const probe = `probe:${randomUUID()}`;
    const lost = once();
    const arrived = once();
    const over = Promise.race([lost.promise, whenStopped]);
    const onNotification = (payload: string) =>
      payload === probe ? arrived.resolve() : listener.onNotification(payload);
    const fail = (fields: object = {}): number => {
      warnOnce('lost', fields, 'cannot listen for session changes, so each session check reads the database');
      return Math.min(2 * pause, longestPause);
    };
    const opening = open.call(db, channel, { onNotification, onClose: lost.resolve });
    try {
      // A driver can wait without limit for a server that hangs.
      if ((await outcomeOf(opening, statementTimeoutMs, whenStopped)) !== 'done') return fail();
      const sent = db.query(sql`select pg_notify(${channel}::text, ${probe}::text)`);
      if ((await outcomeOf(sent, statementTimeoutMs, over)) !== 'done') return fail();
      const outcome = await outcomeOf(arrived.promise, probeTimeout, over);
      if (outcome === 'canceled') return fail();
      if (outcome === 'timed out') {
        warnOnce(
          'undelivered',
          {},
          'notifications do not arrive (a transaction pooler?), so each session check reads the database',
        );
        return undeliveredPause;
      }
      if (problem !== null) log.info({ channel }, 'listening for session changes again');
      problem = null;
      listener.onListening();
      await untilBroken(await opening, over);
      listener.onLost();
      warnOnce(
        'lost',
        {},
        'the connection for session changes was lost, so each session check reads the database',
      );
      return firstPause;
    } catch (error) {
      return fail({ err: error });
    } finally {
      // Also closes a connection that opens after the time limit.
      const closed = opening.then((connection) => connection.close()).catch(() => {});
      await outcomeOf(closed, closeTimeout);
    }
  }

  async function run(open: Listen): Promise<void> {
    let pause = firstPause;
    while (!stopped) {
      pause = await listenOnce(open, pause);
      if (!stopped) await outcomeOf(whenStopped, pause);
    }
  }

  const running = run(listen);
  return () => {
    stopped = true;
    stop();
    return running;
  };
}

/**
 * Waits until the connection breaks, or until `over` resolves. If a server hangs, its operating system keeps
 * the connection alive, so this function checks the connection every two seconds.
 */
async function untilBroken({ check }: Subscription, over: Promise<unknown>): Promise<void> {
  if (check === undefined) {
    await over;
    return;
  }
  let works = true;
  while (works) {
    if ((await outcomeOf(over, checkInterval)) === 'done') return;
    works = await isDone(check(), checkTimeout, over);
  }
}

async function isDone(work: Promise<unknown>, ms: number, canceled: Promise<unknown>): Promise<boolean> {
  try {
    return (await outcomeOf(work, ms, canceled)) === 'done';
  } catch {
    return false;
  }
}

function once(): { promise: Promise<true>; resolve(): void } {
  let resolveOnce = () => {};
  const promise = new Promise<true>((resolve) => {
    resolveOnce = () => resolve(true);
  });
  return { promise, resolve: resolveOnce };
}

/**
 * Waits until `wanted` resolves, `canceled` resolves, or `ms` milliseconds have passed. Rejects if `wanted` rejects.
 */
async function outcomeOf(
  wanted: Promise<unknown>,
  ms: number,
  canceled?: Promise<unknown>,
): Promise<'done' | 'timed out' | 'canceled'> {
  let timer: NodeJS.Timeout | undefined;
  // In a process that was busy, the data that resolves `wanted` can already have arrived. Node reads it after the timers.
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(() => setImmediate(resolve), ms).unref();
  });
  try {
    return await Promise.race([
      wanted.then(() => 'done' as const),
      limit.then(() => 'timed out' as const),
      ...(canceled ? [canceled.then(() => 'canceled' as const)] : []),
    ]);
  } finally {
    clearTimeout(timer);
  }
}
