import { minute, second } from '../../core/duration.ts';
import { AuthError } from '../../core/errors.ts';
import type { Runtime } from '../../core/runtime.ts';
import type { AuditEventName } from '../event-names.ts';
import type { LogCursor } from '../log/cursor.ts';
import { eventNamesIn, startOf } from './options.ts';
import { type FedEvent, readEnd, readFeedPage } from './read-page.ts';

/** Which events `auth.events` returns. */
export interface EventsOptions {
  /**
   * The `cursor` of the last event that the caller has processed. `null` or absent: from the start of the log. `'end'`:
   * only events that get their position after this call.
   */
  after?: string | null | undefined;
  /** Event names, and prefixes that end with a dot, such as `passkey.`. Absent: all events. */
  events?: readonly string[] | undefined;
  /** Ends the iteration when it aborts. */
  signal?: AbortSignal | undefined;
}

const batch = 200;
/** How long to wait before the next attempt while the database is unreachable. */
const retryMs = second;

type Context = Pick<Runtime, 'db' | 'log' | 'logProgress'>;

/**
 * Returns the events of the log in the order of their positions, and waits for new ones. Ends when `signal` aborts or the
 * service closes. While the database is unreachable, it waits.
 *
 * @throws TypeError for an unknown event name, an invalid `after`, or an invalid signal
 * @throws AuthError `log_changed` while iterating
 */
export function followLog(context: Context, options: EventsOptions = {}): AsyncGenerator<FedEvent, void> {
  const { after = null, events, signal } = options;
  if (signal !== undefined && !(signal instanceof AbortSignal))
    throw new TypeError(`signal: expected an AbortSignal, not ${signal}`);
  return iterate(context, startOf(after), eventNamesIn(events), signal);
}

async function* iterate(
  context: Context,
  start: LogCursor | 'end' | null,
  events: AuditEventName[] | undefined,
  signal: AbortSignal | undefined,
): AsyncGenerator<FedEvent, void> {
  const { db, logProgress } = context;
  const isOver = () => logProgress.closed || signal?.aborted === true;
  const read = <T>(attempt: () => Promise<T>) => untilAvailable(context, signal, attempt);
  let cursor = start === 'end' ? ((await read(() => readEnd(db))) ?? null) : start;
  while (!isOver()) {
    const after = cursor;
    const page = await read(() => readFeedPage(db, after, { limit: batch, events }));
    if (page === undefined) return;
    for (const fed of page.events) {
      if (isOver()) return;
      yield fed;
    }
    cursor = page.cursor;
    const position = cursor?.position ?? null;
    if (position === (after?.position ?? null))
      await read(() => logProgress.beyond(position, { ms: minute, signal }));
  }
}

/** Tries again while the database is unreachable. Returns undefined if the iteration is over. */
async function untilAvailable<T>(
  { log, logProgress }: Context,
  signal: AbortSignal | undefined,
  attempt: () => Promise<T>,
): Promise<T | undefined> {
  for (let isFirst = true; !logProgress.closed && !signal?.aborted; isFirst = false) {
    try {
      return await logProgress.during(attempt);
    } catch (error) {
      if (!(error instanceof AuthError && error.code === 'unavailable')) throw error;
      if (isFirst && !logProgress.closed)
        log.warn({ err: error }, 'cannot read the audit log for auth.events, trying again every second');
      await logProgress.pause({ ms: retryMs, signal });
    }
  }
  return undefined;
}
