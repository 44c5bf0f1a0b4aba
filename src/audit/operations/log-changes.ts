import type { Database } from '../../core/database.ts';
import { day } from '../../core/duration.ts';
import { selectErasures, selectFormerLogs, selectPrunings } from '../store/verification.ts';

/**
 * Returns the time before which events can have been pruned, in microseconds since 1970. Null: no event was pruned.
 *
 * @param retentionDays ignores prunings that removed younger events
 */
export async function readPrunings(db: Database, retentionDays: number | undefined): Promise<bigint | null> {
  const rows = await db.query<{ at_micros: string; before: string | null }>(selectPrunings);
  const kept = BigInt((retentionDays ?? 0) * day) * 1000n;
  return rows.reduce<bigint | null>((latest, { at_micros, before }) => {
    const time = Date.parse(before ?? '');
    if (Number.isNaN(time)) return latest;
    const micros = BigInt(time) * 1000n;
    // The pruning removed events up to a time in microseconds, and recorded it in milliseconds.
    const end = micros + 999n;
    return micros <= BigInt(at_micros) - kept && (latest === null || end > latest) ? end : latest;
  }, null);
}

/** Returns a function that tells whether an erasure of a user, or of any user, wrote the pseudonym. */
export async function readErasures(
  db: Database,
  pseudonyms: readonly string[],
): Promise<(pseudonym: string, userId: string | null) => boolean> {
  const rows =
    pseudonyms.length === 0
      ? []
      : await db.query<{ user_id: string; pseudonym: string }>(selectErasures(pseudonyms));
  return (pseudonym, userId) =>
    rows.some((row) => row.pseudonym === pseudonym && (userId === null || row.user_id === userId));
}

/** Returns the sizes of the logs that this log has replaced, by their origins. */
export async function readFormerLogs(db: Database): Promise<ReadonlyMap<string, number>> {
  const rows = await db.query<{ origin: string | null; size: string | null }>(selectFormerLogs);
  return new Map(rows.map(({ origin, size }) => [origin ?? '', Number(size)]));
}
