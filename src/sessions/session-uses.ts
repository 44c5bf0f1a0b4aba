import type { Database } from '../core/database.ts';
import { second } from '../core/duration.ts';
import type { Logger } from '../core/logger.ts';
import type { SessionUses } from '../core/session-uses.ts';
import { recordUses } from './store/uses.ts';

export interface OwnedSessionUses extends SessionUses {
  /** Records the collected uses now. */
  flush(): Promise<void>;
}

/** How long a use waits in memory. */
const waitMs = 5 * second;
/** The most sessions in one statement, which locks their rows while it runs. */
const batch = 1000;

/** Uses of sessions with the same idle timeout. */
interface Waiting {
  sessionIds: Set<string>;
  /** The time of the first use. A later time would extend some sessions for too long. */
  usedAtMs: number;
}

/**
 * Collects the uses of sessions for 5 seconds, and records them with one statement for each idle timeout. One
 * statement for each use would cost PostgreSQL more CPU time (`npm run bench -- session-uses`).
 *
 * @param touchSeconds the shortest time between two recorded uses of a session
 */
export function createSessionUses(db: Database, touchSeconds: number, log: Logger): OwnedSessionUses {
  let waiting = new Map<number, Waiting>();
  let timer: NodeJS.Timeout | undefined;

  async function record(idleSeconds: number, { sessionIds, usedAtMs }: Waiting): Promise<void> {
    try {
      await db.query(recordUses([...sessionIds], { usedAtMs, idleSeconds, touchSeconds }));
    } catch (error) {
      // The next check of each session adds the session again.
      log.warn({ err: error, sessions: sessionIds.size }, 'cannot record the last use of sessions');
    }
  }

  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const batches = [...waiting];
    waiting = new Map();
    await Promise.all(batches.map(([idleSeconds, uses]) => record(idleSeconds, uses)));
  }

  return {
    add({ sessionId, usedAtMs, idleSeconds }) {
      const uses = waiting.get(idleSeconds) ?? { sessionIds: new Set(), usedAtMs };
      waiting.set(idleSeconds, uses);
      uses.sessionIds.add(sessionId);
      if (uses.sessionIds.size === batch) void flush();
      else timer ??= setTimeout(() => void flush(), waitMs).unref();
    },
    flush,
  };
}
