import { minute } from './core/duration.ts';
import type { Runtime } from './core/runtime.ts';
import { deleteForgettableChallenges } from './passkeys/store.ts';
import { deleteExpiredLinks } from './recovery/store.ts';
import { deleteExpired } from './sessions/store.ts';

const every = 10 * minute;

/**
 * Keeps the tables small: what has expired is dead already, this only takes it out. Every process may run it; it
 * does not keep one alive.
 */
export function startHousekeeping(runtime: Runtime): { stop(): Promise<void> } {
  let running: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    running = removeExpired(runtime);
  }, every).unref();
  return {
    stop: () => {
      clearInterval(timer);
      return running;
    },
  };
}

/** Removes expired sessions and recovery links, and spent challenges that no longer need remembering. */
export async function removeExpired(runtime: Runtime): Promise<void> {
  try {
    await runtime.db.query(deleteExpired());
    await runtime.db.query(deleteForgettableChallenges());
    await runtime.db.query(deleteExpiredLinks());
  } catch (error) {
    runtime.log.warn({ err: error }, 'expired rows could not be removed; the next round tries again');
  }
}
