import { bounds } from '../core/bounds.ts';
import type { AuditEventReference, Database } from '../core/database.ts';
import { second } from '../core/duration.ts';
import type { Logger } from '../core/logger.ts';
import { type AuditEvent, eventFromRow } from './event.ts';
import { type AuditEventName, auditEventNames } from './event-names.ts';
import { type AuditEventRow, selectEventsById } from './store/events.ts';

/** How long `finish` waits for handlers: a little longer than the time limit of a statement. */
const closeTimeoutMs = 5 * second;

/** The handlers of `auth.on`. */
export interface Subscriptions {
  /** Implements `AuthService.on`. */
  on(name: AuditEventName | '*', handler: (event: never) => unknown): () => void;
  /** Calls the handlers for these events. Skips an event if the audit log does not contain it. */
  publish(events: readonly AuditEventReference[]): void;
  /** Waits until all running handlers have ended, but not longer than `closeTimeoutMs`. */
  finish(): Promise<void>;
}

interface Subscriber {
  name: AuditEventName | '*';
  handler: (event: AuditEvent) => unknown;
}

interface Delivery extends AuditEventReference {
  subscribers: Subscriber[];
}

/**
 * Creates the subscriptions of a service. A statement does not always record its events, so `publish` looks for the
 * events in the audit log. It reads only events that have subscribers. The request that caused an event does not wait
 * for the handlers.
 */
export function createSubscriptions(db: Database, log: Logger): Subscriptions {
  const subscribed = new Set<Subscriber>();
  const running = new Set<Promise<void>>();
  let lastDelivery = Promise.resolve();
  /** The number of events with handlers that have not ended. */
  let waiting = 0;
  let missed = 0;

  function publish(events: readonly AuditEventReference[]): void {
    const deliveries = events
      .map((event) => ({ ...event, subscribers: subscribersTo(event.event) }))
      .filter(({ subscribers }) => subscribers.length > 0);
    if (deliveries.length === 0 || !hasRoomFor(deliveries.length)) return;
    const reading = read(deliveries);
    // Delivers events in the order of their statements, even if the reads end in another order.
    lastDelivery = lastDelivery.then(async () => deliver(deliveries, await reading));
    track(lastDelivery);
  }

  /** Slow handlers must not fill the memory. So they miss events while too many events wait for them. */
  function hasRoomFor(count: number): boolean {
    if (waiting + count > bounds.waitingEvents) {
      if (missed === 0)
        log.error({ waiting }, 'auth.on handlers are too slow, so they miss events until fewer events wait');
      missed += count;
      return false;
    }
    reportMissed();
    waiting += count;
    return true;
  }

  function reportMissed(): void {
    if (missed > 0) log.error({ missed }, 'auth.on handlers have missed events');
    missed = 0;
  }

  const subscribersTo = (event: string): Subscriber[] =>
    [...subscribed].filter(({ name }) => name === '*' || name === event);

  async function read(deliveries: readonly Delivery[]): Promise<AuditEvent[]> {
    try {
      const rows = await db.query<AuditEventRow>(selectEventsById(deliveries.map(({ id }) => id)));
      return rows.map(eventFromRow);
    } catch (error) {
      const events = deliveries.map(({ id, event }) => ({ id, event }));
      log.error({ err: error, events }, 'cannot read audit events, so their auth.on handlers are not called');
      return [];
    }
  }

  function deliver(deliveries: readonly Delivery[], events: readonly AuditEvent[]): void {
    for (const { id, subscribers } of deliveries) {
      const event = events.find((written) => written.id === id);
      const present = event === undefined ? [] : subscribers.filter((each) => subscribed.has(each));
      track(callAll(present, event));
    }
  }

  async function callAll(subscribers: readonly Subscriber[], event: AuditEvent | undefined): Promise<void> {
    if (event !== undefined) await Promise.all(subscribers.map((subscriber) => call(subscriber, event)));
    waiting -= 1;
  }

  async function call({ handler }: Subscriber, event: AuditEvent): Promise<void> {
    try {
      // Each handler gets a copy, because a handler can modify the event.
      await handler(structuredClone(event));
    } catch (error) {
      log.error({ err: error, event: event.event, id: event.id }, 'an auth.on handler failed');
    }
  }

  function track(work: Promise<void>): void {
    running.add(work);
    void work.finally(() => running.delete(work));
  }

  /** Loops, because a running handler can cause more events. */
  async function untilIdle(): Promise<void> {
    while (running.size > 0) await Promise.all(running);
  }

  return {
    on(name, handler) {
      if (name !== '*' && !auditEventNames.includes(name))
        throw new TypeError(
          `auth.on: expected '*' or one of ${auditEventNames.join(', ')}, not '${String(name)}'`,
        );
      if (typeof handler !== 'function')
        throw new TypeError('auth.on: expected a function as the second argument');
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
      reportMissed();
      if (running.size > 0)
        log.warn({ running: running.size }, 'closed while auth.on handlers were still running');
    },
  };
}
