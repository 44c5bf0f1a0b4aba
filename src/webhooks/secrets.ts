import type { Sealer } from '../core/sealing.ts';
import type { WebhookRow } from './store.ts';

/**
 * Encrypts the secret of a webhook. The encrypted value contains the id of the webhook, so that a secret cannot be moved to
 * another webhook in the database.
 */
export const sealSecret = (sealer: Sealer, webhookId: string, secret: string): string =>
  sealer.seal('webhook', { webhookId, secret });

function openSecret(sealer: Sealer, webhookId: string, sealed: string): string | null {
  const value = sealer.open('webhook', sealed)?.value as { webhookId: string; secret: string } | undefined;
  return value?.webhookId === webhookId ? value.secret : null;
}

/** Whether the sealer can read the current secret of a webhook. */
export const isSealedWith = (sealer: Sealer, row: WebhookRow): boolean =>
  openSecret(sealer, row.webhook_id, row.secret) !== null;

/** Returns the secrets for a signature: the current one, and during a rotation the earlier one. Null: unreadable. */
export function secretsOf(sealer: Sealer, row: WebhookRow): readonly string[] | null {
  const current = openSecret(sealer, row.webhook_id, row.secret);
  if (current === null) return null;
  const earlier =
    row.rotating && row.previous_secret !== null
      ? openSecret(sealer, row.webhook_id, row.previous_secret)
      : null;
  return earlier === null ? [current] : [current, earlier];
}
