import { randomUUID } from 'node:crypto';
import { minute, second } from '../core/duration.ts';
import type { Logger } from '../core/logger.ts';
import { type Database, sql, statementLimit } from './database.ts';

type Listen = NonNullable<Database['listen']>;

/** What `keepListening` calls. */
export interface Listener {
  /** From now on nothing that is notified is missed; whatever came before may have been. */
  up(): void;
  heard(payload: string): void;
  /** From now on something may be missed. */
  down(): void;
}

/** How long a notification of our own may take to come back before the channel counts as deaf. */
const probePatience = 2 * second;
/** As long as the driver may take to close a connection whose server has gone without a word. */
const closingPatience = second;
const firstPause = second / 20;
const longestPause = 5 * second;
/** A pooler that does not deliver today may be gone tomorrow. */
const deafPause = minute;

/**
 * Listens to a channel for as long as it is wanted, over whatever ends the connection. It does not count as listening
 * until a notification that was sent by the database's ordinary way has arrived: behind a pooler that gives every transaction
 * another connection, `listen` succeeds and nothing is ever heard.
 *
 * @returns stops listening
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
  let told: 'nothing' | 'lost' | 'deaf' = 'nothing';

  function tell(what: 'lost' | 'deaf', fields: object, message: string): void {
    if (told !== what && !stopped) log.warn({ channel, ...fields }, message);
    told = what;
  }

  /** One connection's life. @returns how long to wait before the next */
  async function listenOnce(open: Listen, pause: number): Promise<number> {
    const probe = `probe:${randomUUID()}`;
    const lost = once();
    const arrived = once();
    const over = Promise.race([lost.promise, whenStopped]);
    const heard = (payload: string) => (payload === probe ? arrived.happen() : listener.heard(payload));
    const cannot = (fields: object = {}): number => {
      tell('lost', fields, 'cannot listen for ended sessions: every check reads its row meanwhile');
      return Math.min(2 * pause, longestPause);
    };
    const opening = open.call(db, channel, { heard, lost: lost.happen });
    try {
      // A driver may wait for ever for a server that hangs.
      if ((await outcomeOf(opening, statementLimit, whenStopped)) !== 'happened') return cannot();
      const sent = db.query(sql`select pg_notify(${channel}::text, ${probe}::text)`);
      if ((await outcomeOf(sent, statementLimit, over)) !== 'happened') return cannot();
      const outcome = await outcomeOf(arrived.promise, probePatience, over);
      if (outcome === 'in vain') return cannot();
      if (outcome === 'too late') {
        tell(
          'deaf',
          {},
          'notifications do not arrive (a transaction pooler?): every check of a session reads its row',
        );
        return deafPause;
      }
      if (told !== 'nothing') log.info({ channel }, 'listening for ended sessions again');
      told = 'nothing';
      listener.up();
      await over;
      listener.down();
      tell(
        'lost',
        {},
        'the connection that ended sessions are told by is gone: every check reads its row meanwhile',
      );
      return firstPause;
    } catch (error) {
      return cannot({ err: error });
    } finally {
      // Also one that opens only now.
      const closed = opening.then((connection) => connection.close()).catch(() => {});
      await outcomeOf(closed, closingPatience);
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

/** Something that happens once. */
function once(): { promise: Promise<true>; happen(): void } {
  let happen = () => {};
  const promise = new Promise<true>((resolve) => {
    happen = () => resolve(true);
  });
  return { promise, happen };
}

/** Whether something happens within a time, before something else makes waiting vain. */
async function outcomeOf(
  wanted: Promise<unknown>,
  ms: number,
  vain?: Promise<unknown>,
): Promise<'happened' | 'too late' | 'in vain'> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms).unref();
  });
  try {
    return await Promise.race([
      wanted.then(() => 'happened' as const),
      limit.then(() => 'too late' as const),
      ...(vain ? [vain.then(() => 'in vain' as const)] : []),
    ]);
  } finally {
    clearTimeout(timer);
  }
}
