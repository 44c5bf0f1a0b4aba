import type { AuditEventReference, Database } from '../core/database.ts';
import { second } from '../core/duration.ts';
import type { Logger } from '../core/logger.ts';
import { type AuditEvent, eventFromRow } from './event.ts';
import { type AuditEventName, auditEventNames } from './event-names.ts';
import { type AuditEventRow, selectEventsById } from './store.ts';

/** How long closing waits for handlers: a little longer than a statement can take. */
const closeTimeoutMs = 5 * second;

/** The handlers of `auth.on`. */
export interface Subscriptions {
  /** As `AuthService.on`, which says what each handler gets. */
  on(name: AuditEventName | '*', handler: (event: never) => unknown): () => void;
  /** Calls the handlers with the events that a statement has recorded. */
  publish(events: readonly AuditEventReference[]): void;
  /** Waits for running handlers, for a while. */
  finish(): Promise<void>;
}

interface Subscriber {
  name: AuditEventName | '*';
  handler: (event: AuditEvent) => unknown;
}

/** An event with subscribers. Whether its row was written depends on the statement's conditions. */
interface Due extends AuditEventReference {
  subscribers: Subscriber[];
}

/**
 * Whether an event was recorded depends on its statement's conditions. So its row is read by id after the statement, while
 * the caller goes on. Without subscribers, nothing is read.
 *
 * @param db where rows are read
 */
export function createSubscriptions(db: Database, log: Logger): Subscriptions {
  const subscribed = new Set<Subscriber>();
  const running = new Set<Promise<void>>();
  let lastDelivery = Promise.resolve();

  function publish(events: readonly AuditEventReference[]): void {
    const due = events
      .map((event) => ({ ...event, subscribers: subscribersTo(event.event) }))
      .filter(({ subscribers }) => subscribers.length > 0);
    if (due.length === 0) return;
    const reading = read(due);
    // In the order of the statements, even if a later row is read first.
    lastDelivery = lastDelivery.then(async () => deliver(due, await reading));
    track(lastDelivery);
  }

  const subscribersTo = (event: string): Subscriber[] =>
    [...subscribed].filter(({ name }) => name === '*' || name === event);

  async function read(due: readonly Due[]): Promise<AuditEvent[]> {
    try {
      const rows = await db.query<AuditEventRow>(selectEventsById(due.map(({ id }) => id)));
      return rows.map(eventFromRow);
    } catch (error) {
      const events = due.map(({ id, event }) => ({ id, event }));
      log.error(
        { err: error, events },
        'cannot read audit events: the handlers of auth.on were not called for them',
      );
      return [];
    }
  }

  function deliver(due: readonly Due[], events: readonly AuditEvent[]): void {
    for (const { id, subscribers } of due) {
      const event = events.find((written) => written.id === id);
      if (event === undefined) continue;
      for (const subscriber of subscribers) if (subscribed.has(subscriber)) track(call(subscriber, event));
    }
  }

  async function call({ handler }: Subscriber, event: AuditEvent): Promise<void> {
    try {
      // A copy for each handler, because a handler may change it.
      await handler(structuredClone(event));
    } catch (error) {
      log.error({ err: error, event: event.event, id: event.id }, 'a handler of auth.on failed');
    }
  }

  function track(work: Promise<void>): void {
    running.add(work);
    void work.finally(() => running.delete(work));
  }

  /** A handler can cause further events. */
  async function untilIdle(): Promise<void> {
    while (running.size > 0) await Promise.all(running);
  }

  return {
    on(name, handler) {
      if (name !== '*' && !auditEventNames.includes(name))
        throw new TypeError(`auth.on: expected '*' or the name of an event: ${auditEventNames.join(', ')}`);
      if (typeof handler !== 'function') throw new TypeError('auth.on: expected a function to call');
      const subscriber = { name, handler: handler as Subscriber['handler'] };
      subscribed.add(subscriber);
      return () => void subscribed.delete(subscriber);
    },
    publish,
    async finish() {
      let timer: NodeJS.Timeout | undefined;
      const limit = new Promise<void>((done) => {
        timer = setTimeout(done, closeTimeoutMs);
      });
      await Promise.race([untilIdle(), limit]);
      clearTimeout(timer);
      if (running.size > 0)
        log.warn({ running: running.size }, 'closed while handlers of auth.on were still running');
    },
  };
}
