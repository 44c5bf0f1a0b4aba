import { second } from '../core/duration.ts';
import type { Runtime } from '../core/runtime.ts';
import { settingsOf } from './checks.ts';
import { reportRecovery, saveFailedAttempt, stopSending } from './failure.ts';
import { readAfter } from './log-positions.ts';
import { messageOf, type SentEvent } from './message.ts';
import { secretsOf } from './secrets.ts';
import { type Attempted, attemptTimeoutMs, type Channel, openChannel } from './send.ts';
import { type Claim, claimWebhook, leaseSeconds, releaseWebhook, saveProgress } from './store/deliveries.ts';
import { selectWebhook, type WebhookRow } from './store.ts';
import type { WebhookState } from './webhook.ts';

/** What the sender of this process has done. */
export interface DeliveryCounts {
  /** Events that receivers accepted. */
  delivered: number;
  /** Failed attempts. */
  failed: number;
}

interface Work {
  id: string;
  /** Identifies this process. */
  holder: string;
  counts: DeliveryCounts;
  stop: AbortSignal;
}

/** How many events one statement reads, with those that the filter leaves out. */
const batchSize = 200;
/** How long the lease must last after the longest attempt. */
const spareMs = 5 * second;

/**
 * Takes the lease of a webhook and sends its events, one after another. Stops after the last event, after a failed attempt,
 * and after a change of the webhook. Does nothing if another process has the lease.
 */
export async function deliverTo(runtime: Runtime, work: Work): Promise<void> {
  // Measured before the statement, so that this process never assumes a longer lease than it has.
  let heldSince = performance.now();
  const [claimed] = await runtime.db.query(claimWebhook(work.id, work.holder));
  if (!claimed) return;
  let channel: Channel | undefined;
  try {
    const [row] = await runtime.db.query<WebhookRow>(selectWebhook(work.id));
    if (!row) return;
    const claim: Claim = { id: work.id, holder: work.holder, position: row.after_position };
    const secrets = secretsOf(runtime.sealer, row);
    if (secrets === null) return await stopSending(runtime, row, claim, 'secret_unreadable');
    channel = openChannel(row.url, settingsOf(runtime));

    while (!work.stop.aborted) {
      const place = { position: claim.position, eventId: row.after_id };
      const batch = await readAfter(runtime, place, { limit: batchSize, filter: row.events });
      if (batch === 'log_changed') return await stopSending(runtime, row, claim, 'log_changed');
      for (const logged of batch.events) {
        // If the process was suspended, another process can have the lease.
        const leftMs = leaseSeconds * second - (performance.now() - heldSince);
        if (leftMs < attemptTimeoutMs + spareMs || work.stop.aborted) return;
        const attempt = await attemptTo(runtime, channel, { secrets, logged, stop: work.stop });
        if (attempt.fault !== null) {
          work.counts.failed += 1;
          return await saveFailedAttempt(runtime, row, claim, attempt);
        }
        work.counts.delivered += 1;
        const to = { position: logged.position, eventId: logged.event.id };
        heldSince = performance.now();
        const [saved] = await runtime.db.query<Saved>(saveProgress(claim, to, attempt));
        if (row.attempts > 0) reportRecovery(runtime, row);
        Object.assign(row, { attempts: 0, failing_since: null, after_id: to.eventId });
        claim.position = to.position;
        if (saved?.state !== 'active' || saved.version !== row.webhook_version) return;
      }
      const { last } = batch;
      if (last === null) return;
      if (last.position !== claim.position) {
        heldSince = performance.now();
        const [saved] = await runtime.db.query<Saved>(saveProgress(claim, last, null));
        if (saved?.state !== 'active' || saved.version !== row.webhook_version) return;
        claim.position = last.position;
        row.after_id = last.eventId;
      }
    }
  } finally {
    channel?.close();
    // Also when this process stops, so that another process does not wait until the lease ends.
    await runtime.db.query(releaseWebhook(work));
  }
}

interface Saved {
  state: WebhookState;
  version: number;
}

function attemptTo(
  { config, clock }: Runtime,
  channel: Channel,
  given: { secrets: readonly string[]; logged: SentEvent; stop: AbortSignal },
): Promise<Attempted> {
  const { secrets, logged, stop } = given;
  const [source] = config.origins;
  return channel.send(messageOf(logged, { source, secrets, now: clock() }), stop);
}
