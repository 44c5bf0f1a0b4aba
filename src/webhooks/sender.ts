import { randomUUID } from 'node:crypto';
import { selectLastPosition } from '../audit/store/positions.ts';
import { minute, second } from '../core/duration.ts';
import { createPauses } from '../core/pauses.ts';
import type { Runtime } from '../core/runtime.ts';
import { type DeliveryCounts, deliverTo } from './deliver.ts';
import { selectDue } from './store/deliveries.ts';

/** How often the sender looks for events. */
const everyMs = second;
/** The pause after an error, such as an unreachable database. */
const afterErrorMs = 10 * second;

/** The running job that sends events to webhooks. */
export interface WebhookSender {
  readonly counts: Readonly<DeliveryCounts>;
  /** Ends the attempts that are under way, and gives the leases back. Another process sends these events again. */
  stop(): Promise<void>;
}

/**
 * Sends audit events to webhooks, in order of their positions and one at a time for each webhook. Of several processes,
 * the one with the lease of a webhook sends. A receiver gets each event at least once: if a process ends between the
 * response and the next statement, another process sends the event again.
 *
 * Does not keep the process running.
 */
export function startWebhookSender(runtime: Runtime): WebhookSender {
  const pauses = createPauses();
  const stopping = new AbortController();
  const counts: DeliveryCounts = { delivered: 0, failed: 0 };
  const underWay = new Map<string, Promise<void>>();
  const holder = randomUUID();
  let lastWarning = 0;

  function warn(error: unknown): void {
    if (performance.now() - lastWarning < minute && lastWarning > 0) return;
    lastWarning = performance.now();
    runtime.log.warn({ err: error }, 'cannot send events to webhooks, trying again');
  }

  async function start(): Promise<number> {
    const due = await runtime.db.query<{ id: string }>(selectDue(selectLastPosition));
    for (const { id } of due) {
      if (underWay.has(id) || stopping.signal.aborted) continue;
      const work = deliverTo(runtime, { id, holder, counts, stop: stopping.signal })
        .catch((error: unknown) => {
          if (!stopping.signal.aborted) warn(error);
        })
        .finally(() => underWay.delete(id));
      underWay.set(id, work);
    }
    return everyMs;
  }

  async function run(): Promise<void> {
    let pauseMs = everyMs;
    while (await pauses.take(pauseMs)) {
      pauseMs = await start().catch((error: unknown) => {
        warn(error);
        return afterErrorMs;
      });
    }
  }

  const { webhooks, webhookSender } = runtime.config;
  const isOn = webhooks !== null && webhookSender;
  const running = isOn ? run() : Promise.resolve();
  return {
    counts,
    async stop() {
      pauses.end();
      stopping.abort();
      await running;
      await Promise.all(underWay.values());
    },
  };
}
