import { pruneEvents, selectRecentPruning } from '../audit/store.ts';
import { minute } from '../core/duration.ts';
import { createPauses, type Pauses } from '../core/pauses.ts';
import type { Runtime } from '../core/runtime.ts';
import type { RemovedBatch } from '../db/expired-rows.ts';
import { deleteExpiredChallenges } from '../passkeys/store.ts';
import { deleteExpiredLinks } from '../recovery/store.ts';
import { deleteExpiredSessions } from '../sessions/store.ts';

const every = 10 * minute;
/** Rows a statement. It takes some ten milliseconds, which is what a request may have to wait for one of them. */
const batch = 1000;
/** Each tells of itself in the log, so they are few; no request waits for an old event. */
const auditBatch = 10_000;
/** At least; it is twice as long as its batch took, so that most of the time belongs to requests, also on a busy machine. */
const shortestPause = 50;

/**
 * Keeps the tables small: what has expired is dead already, this only takes it out. Every process may run it; it
 * does not keep one alive.
 */
export function startHousekeeping(runtime: Runtime): { stop(): Promise<void> } {
  const pauses = createPauses();
  async function run(): Promise<void> {
    while (await pauses.take(every)) await removeExpired(runtime, pauses);
  }
  const running = run();
  return {
    stop: () => {
      pauses.end();
      return running;
    },
  };
}

/**
 * Removes expired sessions and recovery links, spent challenges that no longer need remembering, and events that the
 * audit log is to keep no longer: in batches, until the pauses between them are ended.
 */
export async function removeExpired(runtime: Runtime, pauses = createPauses()): Promise<void> {
  try {
    for (const deleting of [deleteExpiredSessions, deleteExpiredChallenges, deleteExpiredLinks])
      await inBatches(pauses, batch, async (last?: RemovedBatch) => {
        const [removed] = await runtime.db.query<RemovedBatch>(deleting(batch, last));
        return removed;
      });
    await pruneAuditLog(runtime, pauses);
  } catch (error) {
    runtime.log.warn({ err: error }, 'expired rows could not be removed; the next round tries again');
  }
}

/** Once an hour, however many processes there are: each time is an event itself. */
async function pruneAuditLog({ config, db }: Runtime, pauses: Pauses): Promise<void> {
  const { auditRetentionSeconds } = config;
  if (pauses.ended || auditRetentionSeconds === null) return;
  if ((await db.query(selectRecentPruning)).length > 0) return;
  await inBatches(pauses, auditBatch, async () => {
    const [removed] = await db.query<{ removed: number }>(pruneEvents(auditRetentionSeconds, auditBatch));
    return removed;
  });
}

/** Goes on as long as batches are full. */
async function inBatches<Batch extends { removed: number }>(
  pauses: Pauses,
  most: number,
  removeBatch: (last?: Batch) => Promise<Batch | undefined>,
): Promise<void> {
  if (pauses.ended) return;
  let last: Batch | undefined;
  let began: number;
  do {
    began = performance.now();
    last = await removeBatch(last);
  } while (last?.removed === most && (await pauses.take(pauseAfter(performance.now() - began))));
}

const pauseAfter = (ms: number) => Math.max(shortestPause, 2 * ms);
