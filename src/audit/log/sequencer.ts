import type { Sql } from '../../db/sql.ts';
import {
  batch,
  finishSweep,
  type LogStateRow,
  mostIds,
  saltEvents,
  selectEvents,
  selectLogState,
  selectOfTransaction,
  selectSweep,
  selectSweepStart,
  selectWaiting,
  type WaitingRow,
} from '../store/sequence.ts';
import { append, type LogWriter } from './append.ts';
import { advanceSnapshot, readSnapshot, snapshotText } from './snapshot.ts';

const firstId = '00000000-0000-0000-0000-000000000000';

/**
 * The result of a round. `idle`: every committed event has a position. `more`: the next round finds more events, or
 * another process has changed the log at the same time.
 */
export type RoundResult = 'idle' | 'more';

/** Gives committed events their positions. */
export interface Sequencer {
  /** @throws LogChangedError if the tree in the database differs from the signed checkpoint */
  round(): Promise<RoundResult>;
}

/**
 * Creates a sequencer. It reads which events have been committed since the last round, and appends them to the log in one
 * statement. That statement has no effect if another process has changed the log in the meantime, so any number of
 * processes can sequence at the same time, and a process can end at any point.
 *
 * `xid` only tells where to look: `seen` is the snapshot whose visible events all have an entry. Any committed event gets
 * a position, whatever its `xid` is. A sweep reads all events in the order of time. It finds the events of earlier
 * versions of the package, and those of a restored database, whose transaction ids come from another server.
 *
 * @param keepsOn called between two batches of a sweep; false: the sweep stops
 */
export function createSequencer(
  writer: LogWriter,
  keepsOn: () => Promise<boolean> = () => Promise.resolve(true),
): Sequencer {
  const { db } = writer;
  let hasSwept = false;

  async function round(): Promise<RoundResult> {
    const rows = await db.query<LogStateRow & WaitingRow>(selectWaiting);
    const [state] = rows;
    if (!state) throw withoutState();
    const found = rows.filter(({ id }) => id !== null);
    if (state.seen === null || state.went_back) return sweep(state, true);
    if (state.sweep_due || !hasSwept) return sweep(state, false);
    if (found.length === 0) return 'idle';
    const large = largeTransactionIn(found);
    // The batch has committed events with the id of a transaction that still runs. They were inserted with a false id, or
    // restored from another server. Without a sweep, all later events would wait until that transaction ends.
    if (large !== null && readSnapshot(state.snapshot).running.includes(large)) return sweep(state, true);
    if (large !== null) return appendTransaction(large, state);
    const { events, seen } = windowOf(found, state.seen, state.snapshot);
    const waiting = events.filter(({ position }) => position === null);
    if (await addSalts(waiting)) return 'more';
    const isAppended = await append(writer, state, waiting, seen);
    return isAppended && found.length < batch ? 'idle' : 'more';
  }

  /**
   * Appends the events of a transaction that has more events than fit in a batch. Reads all their ids at once, because no
   * index has an order of the events within a transaction. If there are too many ids, a sweep appends the events instead.
   *
   * @param start a state whose snapshot shows the transaction as ended. All events of earlier transactions have entries
   */
  async function appendTransaction(xid: bigint, start: LogStateRow): Promise<RoundResult> {
    const rows = await db.query<{ id: string }>(selectOfTransaction(`${xid}`));
    if (rows.length > mostIds) return sweep(start, true);
    const ids = rows.map(({ id }) => id);
    for (let first = 0; first < ids.length; first += batch) {
      await appendFound(selectEvents(ids.slice(first, first + batch)));
      if (!(await keepsOn())) return 'more';
    }
    const state = await readState();
    // Null: a new log has started. It begins with a sweep.
    if (state.seen !== null)
      await append(writer, state, [], seenBefore(state.seen, start.snapshot, xid + 1n));
    return 'more';
  }

  /**
   * Appends all events without an entry, in the order of time.
   *
   * @param isComplete false: reads only events from a day before the last sweep on. Rounds can miss events only after a
   *   restore from a dump. The dump contains the time of its last sweep, so all missed events are later.
   */
  async function sweep(start: LogStateRow, isComplete: boolean): Promise<RoundResult> {
    const [times] = await db.query<{ now_text: string; from_text: string }>(selectSweepStart);
    if (!times) throw withoutState();
    let after = { at_text: isComplete ? '-infinity' : times.from_text, id: firstId };
    for (;;) {
      const { found, size } = await appendFound(selectSweep(after));
      const last = found.at(-1);
      if (!last || found.length < batch) {
        await db.query(finishSweep(times.now_text, size, isComplete ? start.snapshot : null));
        hasSwept = true;
        return 'more';
      }
      after = last;
      if (!(await keepsOn())) return 'more';
    }
  }

  /**
   * Appends the selected events that have no entry. Tries again if another process has changed the log in the meantime.
   *
   * @returns all selected events, and the size of the log
   */
  async function appendFound(select: Sql): Promise<{ found: readonly WaitingRow[]; size: string }> {
    for (;;) {
      // Read before the events, so that `append` notices if another process gives them positions in the meantime.
      const state = await readState();
      const found = await db.query<WaitingRow>(select);
      const waiting = found.filter(({ position }) => position === null);
      if (waiting.length === 0) return { found, size: state.size };
      if (!(await addSalts(waiting)) && (await append(writer, state, waiting, state.seen)))
        return { found, size: `${Number(state.size) + waiting.length}` };
    }
  }

  async function readState(): Promise<LogStateRow> {
    const [state] = await db.query<LogStateRow>(selectLogState);
    if (!state) throw withoutState();
    return state;
  }

  /** Gives salts to events of earlier versions of the package. @returns whether there were any; then read them again */
  async function addSalts(events: readonly WaitingRow[]): Promise<boolean> {
    const bare = events.filter(({ salt_hex, kept_hex }) => salt_hex === null && kept_hex === null);
    if (bare.length > 0) await db.query(saltEvents(bare.map(({ id }) => id)));
    return bare.length > 0;
  }

  return { round };
}

const withoutState = () => new Error('the state of the audit log is missing in the database');

/** Returns `seen` with the transactions before `xid` that have ended in `snapshot`. */
const seenBefore = (seen: string, snapshot: string, xid: bigint): string =>
  snapshotText(advanceSnapshot(readSnapshot(seen), readSnapshot(snapshot), xid));

/** If a batch is full and all its events belong to one transaction, returns this transaction. Otherwise, returns null. */
function largeTransactionIn(found: readonly WaitingRow[]): bigint | null {
  const [first] = found;
  if (first?.xid == null || found.length < batch || found.at(-1)?.xid !== first.xid) return null;
  return BigInt(first.xid);
}

/**
 * Returns the events of complete transactions, and the value of `seen` after these events have entries. If the batch is
 * full, leaves out the last transaction, because some of its events can be missing from the batch.
 */
function windowOf(found: readonly WaitingRow[], seen: string, snapshot: string) {
  const last = found.at(-1);
  if (!last || found.length < batch) return { events: found, seen: snapshot };
  return {
    events: found.filter(({ xid }) => xid !== last.xid),
    seen: seenBefore(seen, snapshot, BigInt(last.xid ?? 0)),
  };
}
