import { releaseErasedUsernames, releaseUsernames } from '../accounts/operations/release-usernames.ts';
import { pruneEvents, selectRecentPruning } from '../audit/store/retention.ts';
import { recordBurst } from '../audit/store.ts';
import { minute } from '../core/duration.ts';
import { createPauses, type Pauses } from '../core/pauses.ts';
import type { Runtime } from '../core/runtime.ts';
import type { RemovedBatch } from '../db/expired-rows.ts';
import type { Sql } from '../db/sql.ts';
import { deleteExpiredImpersonationLinks } from '../impersonation-links/store.ts';
import { countHours, updateUserFigures } from '../overview/operations/update-figures.ts';
import { deleteExpiredChallenges } from '../passkeys/store.ts';
import { deleteExpiredLinks } from '../recovery/store.ts';
import { deleteExpiredSessions } from '../sessions/store.ts';

const every = 10 * minute;
/**
 * How many rows one statement deletes. A request that needs one of these rows waits for the statement, which takes
 * about ten milliseconds.
 */
const batch = 1000;
/**
 * How many audit events one statement deletes. Each statement also records an audit event, so this number is larger
 * than `batch`, and fewer statements run.
 */
const auditBatch = 10_000;
/** How many usernames are released between two pauses. Each release is a statement of its own. */
const releaseBatch = 100;
/** How many hours of sign-ins one statement counts. */
const hourBatch = 4;
/** The minimum pause between batches, in milliseconds. */
const shortestPause = 50;

/**
 * Every ten minutes, records the counted refusals of this process and deletes expired rows. The deletions only keep the
 * tables small: expired rows have no effect even before they are deleted. Several processes can delete at the same time.
 * Housekeeping does not keep the process running.
 */
export function startHousekeeping(runtime: Runtime): { stop(): Promise<void> } {
  const pauses = createPauses();
  async function run(): Promise<void> {
    while (await pauses.take(every)) {
      await recordBursts(runtime);
      await removeExpired(runtime, pauses);
      await updateFigures(runtime, pauses);
    }
  }
  const running = run();
  return {
    stop: () => {
      pauses.end();
      return running;
    },
  };
}

/** Records the refusals that this process has counted. After an error, the next call records them. */
export async function recordBursts({ bursts, db, log }: Runtime): Promise<void> {
  try {
    await bursts.record((burst) => db.query(recordBurst(burst)));
  } catch (error) {
    log.warn({ err: error, refusals: bursts.unrecorded }, 'cannot record counted refusals in the audit log');
  }
}

type Removal = (runtime: Runtime, pauses: Pauses) => Promise<void>;

const expired =
  (deleting: (most: number, last?: RemovedBatch) => Sql): Removal =>
  ({ db }, pauses) =>
    inBatches(pauses, batch, async (last?: RemovedBatch) => {
      const [removed] = await db.query<RemovedBatch>(deleting(batch, last));
      return removed;
    });

const released =
  (releasing: (runtime: Runtime, most: number) => Promise<number>): Removal =>
  (runtime, pauses) =>
    inBatches(pauses, releaseBatch, async () => ({ removed: await releasing(runtime, releaseBatch) }));

/** What `removeExpired` does, in this order. */
export const removals: Readonly<Record<string, Removal>> = {
  'deletes expired sessions': expired(deleteExpiredSessions),
  'deletes expired challenges': expired(deleteExpiredChallenges),
  'deletes expired recovery links': expired(deleteExpiredLinks),
  'deletes expired impersonation links': expired(deleteExpiredImpersonationLinks),
  'releases deleted usernames': released(releaseUsernames),
  'releases erased usernames': released(releaseErasedUsernames),
  // Before `pruneAuditLog`, so that the figures include the events that it deletes.
  'counts sign-ins': (runtime, pauses) =>
    inBatches(pauses, hourBatch, async () => ({ removed: await countHours(runtime, hourBatch) })),
  'prunes the audit log': pruneAuditLog,
};

/**
 * Deletes expired sessions, expired recovery links, expired impersonation links and the nonces of expired challenges.
 * Releases usernames of deleted accounts, counts sign-ins for the overview, and deletes audit events that are older
 * than the retention time. Stops before the next batch if `pauses.end` was called.
 */
export async function removeExpired(runtime: Runtime, pauses = createPauses()): Promise<void> {
  try {
    for (const remove of Object.values(removals)) await remove(runtime, pauses);
  } catch (error) {
    runtime.log.warn({ err: error }, 'cannot delete expired rows, trying again in the next round');
  }
}

/** Counts the accounts for the overview. Stops before the next batch if `pauses.end` was called. */
export async function updateFigures(runtime: Runtime, pauses = createPauses()): Promise<void> {
  if (pauses.ended) return;
  try {
    await updateUserFigures(runtime, () => !pauses.ended);
  } catch (error) {
    runtime.log.warn({ err: error }, 'cannot count the users, trying again in the next round');
  }
}

/**
 * Deletes old audit events, at most once an hour. If any process has deleted audit events in the last hour, does
 * nothing. The reason for this limit: each batch records an audit event.
 */
async function pruneAuditLog({ config, db }: Runtime, pauses: Pauses): Promise<void> {
  const { auditRetentionDays } = config;
  if (pauses.ended || auditRetentionDays === null) return;
  if ((await db.query(selectRecentPruning)).length > 0) return;
  await inBatches(pauses, auditBatch, async () => {
    const [removed] = await db.query<{ removed: number }>(pruneEvents(auditRetentionDays, auditBatch));
    return removed;
  });
}

/** Runs batches until a batch deletes fewer than `most` rows. */
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

/** A pause takes twice as long as the batch before it, so that requests can use the database. */
const pauseAfter = (ms: number) => Math.max(shortestPause, 2 * ms);
