import { second } from '../core/duration.ts';
import type { Logger } from '../core/logger.ts';
import type { Database, EntryReference, Statement } from '../db/database.ts';
import { type AuditEvent, eventFromRow } from './event.ts';
import { type AuditEventName, auditEventNames } from './event-names.ts';
import { type AuditEventRow, selectEventsById } from './store.ts';

/** How long closing waits for listeners: a little longer than a statement may take. */
const patience = 5 * second;

/** Who listens to what is written to the audit log. */
export interface Hooks {
  /** As `AuthService.on`, which says what each listener is given. */
  on(name: AuditEventName | '*', handler: (event: never) => unknown): () => void;
  /** The adapter, with an ear to what its statements have written. */
  over(adapter: Database): Database;
  /** Waits for listeners that are at work, for a while. */
  finish(): Promise<void>;
}

interface Listener {
  name: AuditEventName | '*';
  handler: (event: AuditEvent) => unknown;
}

/** An entry that somebody listens to, whose row may be there or not. */
interface Due extends EntryReference {
  listeners: Listener[];
}

/**
 * Whether an entry was written depends on its statement's conditions, so its row is read after the statement, by its id,
 * while whoever sent the statement goes on. Where nobody listens nothing is read.
 *
 * @param db where rows are read
 */
export function createHooks(db: Database, log: Logger): Hooks {
  const listening = new Set<Listener>();
  const underWay = new Set<Promise<void>>();
  let lastDelivery = Promise.resolve();

  function tell(entries: readonly EntryReference[]): void {
    const due = entries
      .map((entry) => ({ ...entry, listeners: listenersTo(entry.event) }))
      .filter(({ listeners }) => listeners.length > 0);
    if (due.length === 0) return;
    const reading = read(due);
    // In the order of the changes, whichever row is read first: nobody hears of an end before its beginning.
    lastDelivery = lastDelivery.then(async () => deliver(due, await reading));
    track(lastDelivery);
  }

  const listenersTo = (event: string): Listener[] =>
    [...listening].filter(({ name }) => name === '*' || name === event);

  async function read(due: readonly Due[]): Promise<AuditEvent[]> {
    try {
      const rows = await db.query<AuditEventRow>(selectEventsById(due.map(({ id }) => id)));
      return rows.map(eventFromRow);
    } catch (error) {
      const events = due.map(({ id, event }) => ({ id, event }));
      log.error({ err: error, events }, 'audit events could not be read; who listens was not told of them');
      return [];
    }
  }

  function deliver(due: readonly Due[], events: readonly AuditEvent[]): void {
    for (const { id, listeners } of due) {
      const event = events.find((written) => written.id === id);
      if (event === undefined) continue;
      for (const listener of listeners) if (listening.has(listener)) track(call(listener, event));
    }
  }

  async function call({ handler }: Listener, event: AuditEvent): Promise<void> {
    try {
      // A copy each: what one of them does to it is nothing to the others.
      await handler(structuredClone(event));
    } catch (error) {
      log.error({ err: error, event: event.event, id: event.id }, 'a listener to an audit event failed');
    }
  }

  function track(work: Promise<void>): void {
    underWay.add(work);
    void work.finally(() => underWay.delete(work));
  }

  /** A listener may cause further events. */
  async function untilIdle(): Promise<void> {
    while (underWay.size > 0) await Promise.all(underWay);
  }

  return {
    on(name, handler) {
      if (name !== '*' && !auditEventNames.includes(name))
        throw new TypeError(`auth.on: expected '*' or the name of an event: ${auditEventNames.join(', ')}`);
      if (typeof handler !== 'function') throw new TypeError('auth.on: expected a function to call');
      const listener = { name, handler: handler as Listener['handler'] };
      listening.add(listener);
      return () => void listening.delete(listener);
    },
    over: (adapter) => ({
      async query<Row extends object>(statement: Statement) {
        const rows = await adapter.query<Row>(statement);
        tell(statement.entries);
        return rows;
      },
    }),
    async finish() {
      let timer: NodeJS.Timeout | undefined;
      const limit = new Promise<void>((done) => {
        timer = setTimeout(done, patience);
      });
      await Promise.race([untilIdle(), limit]);
      clearTimeout(timer);
      if (underWay.size > 0)
        log.warn({ underWay: underWay.size }, 'closed while listeners to audit events were still at work');
    },
  };
}
