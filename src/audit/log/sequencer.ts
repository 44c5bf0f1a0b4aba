import {
  batch,
  finishSweep,
  type LogStateRow,
  saltEvents,
  selectLogState,
  selectSweep,
  selectSweepStart,
  selectWaiting,
  type WaitingRow,
} from '../store/sequence.ts';
import { append, type LogWriter } from './append.ts';
import { readSnapshot, snapshotBefore, snapshotText } from './snapshot.ts';

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
    const window = windowOf(found, state.snapshot);
    if (state.seen === null || state.went_back || window === null) return sweep(state, true);
    if (state.sweep_due || !hasSwept) return sweep(state, false);
    if (found.length === 0) return 'idle';
    const waiting = window.events.filter(({ position }) => position === null);
    if (await addSalts(waiting)) return 'more';
    const isAppended = await append(writer, state, waiting, window.seen);
    return isAppended && found.length < batch ? 'idle' : 'more';
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
    let size = start.size;
    let after = { at_text: isComplete ? '-infinity' : times.from_text, id: firstId };
    for (;;) {
      // Read before the events, so that `append` notices if another process gives them positions in the meantime.
      const [state] = await db.query<LogStateRow>(selectLogState);
      if (!state) throw withoutState();
      const found = await db.query<WaitingRow>(selectSweep(after));
      const waiting = found.filter(({ position }) => position === null);
      if (waiting.length > 0) {
        if ((await addSalts(waiting)) || !(await append(writer, state, waiting, state.seen))) continue;
        size = `${Number(state.size) + waiting.length}`;
      }
      const last = found.at(-1);
      if (!last || found.length < batch) break;
      after = last;
      if (!(await keepsOn())) return 'more';
    }
    await db.query(finishSweep(times.now_text, size, isComplete ? start.snapshot : null));
    hasSwept = true;
    return 'more';
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

/** The waiting events of complete transactions, and the value of `seen` after they have entries. */
interface Window {
  events: readonly WaitingRow[];
  seen: string;
}

/**
 * Leaves out the last transaction if the batch is full, because the batch can lack some of its events. Returns null if all
 * events are of one transaction. Only a sweep can read them in parts.
 */
function windowOf(found: readonly WaitingRow[], snapshot: string): Window | null {
  const last = found.at(-1);
  if (!last || found.length < batch) return { events: found, seen: snapshot };
  const events = found.filter(({ xid }) => xid !== last.xid);
  if (events.length === 0) return null;
  return { events, seen: snapshotText(snapshotBefore(readSnapshot(snapshot), BigInt(last.xid ?? 0))) };
}
