import type { AuditEventName } from '../audit/event-names.ts';
import type { Webhook, WebhookTest, WebhookWithSecret } from '../webhooks/webhook.ts';

/** Where a webhook starts: at the end or at the start of the audit log, or after the event of a cursor. */
export type WebhookStart = 'end' | 'start' | (string & {});

/** The name of an event, or an event prefix that ends with a dot. */
type EventFilter = AuditEventName | `${string}.`;

/**
 * The actions of an operator on webhooks. Methods that take a name throw AuthError `not_found` if no webhook has it, and
 * TypeError if it is not a text. Every method throws AuthError `feature_disabled` if the service has no webhooks
 * (`webhooks: false`).
 */
export interface OperatorWebhooks {
  /**
   * Lists all webhooks, sorted by name. A service has at most 20.
   *
   * @example
   * const failing = (await auth.asOperator('ops').webhooks.list()).filter(({ failingSince }) => failingSince !== null);
   */
  list(): Promise<Webhook[]>;
  /**
   * Creates a webhook. The service sends it each matching audit event at least once, in order, signed as Standard Webhooks.
   *
   * @param webhook.name 1 to 64 lowercase letters, digits and hyphens
   * @param webhook.url an `https` URL without credentials, a fragment or control characters
   * @param webhook.events names of events, or event prefixes that end with a dot; default: all events
   * @param webhook.after default: `end`, so that it gets only new events
   * @throws AuthError `invalid_request` | `webhook_name_taken` | `too_many_webhooks` | `log_changed` if the audit log does
   *   not contain the event of the cursor
   * @example
   * const { secret } = await auth.asOperator('ops').webhooks.create({
   *   name: 'siem',
   *   url: 'https://siem.example.com/latchkey',
   *   events: ['passkey.', 'session.revoke'],
   * });
   * @see https://www.standardwebhooks.com
   */
  create(webhook: {
    name: string;
    url: string;
    events?: readonly EventFilter[] | null | undefined;
    after?: WebhookStart | undefined;
  }): Promise<WebhookWithSecret>;
  /**
   * Changes the URL or the event filter. Absent values do not change. `events: null` means all events.
   *
   * @throws AuthError `invalid_request`
   * @example await auth.asOperator('ops').webhooks.update('siem', { events: null });
   */
  update(
    name: string,
    change: { url?: string | undefined; events?: readonly EventFilter[] | null | undefined },
  ): Promise<Webhook>;
  /**
   * Replaces the secret. For 24 hours, each request also has a signature with the earlier secret.
   *
   * @example const { secret } = await auth.asOperator('ops').webhooks.rotateSecret('siem');
   */
  rotateSecret(name: string): Promise<WebhookWithSecret>;
  /** Pauses a webhook. `resume` continues after the last delivered event, so no event is lost. */
  pause(name: string): Promise<Webhook>;
  /**
   * Makes a paused or disabled webhook active again.
   *
   * @param options.after default: after the last delivered event
   * @throws AuthError `invalid_request` for an invalid cursor
   * @throws AuthError `log_changed` if the audit log does not contain the last delivered event or the event of the cursor
   * @example await auth.asOperator('ops').webhooks.resume('siem', { after: 'end' });
   */
  resume(name: string, options?: { after?: WebhookStart | undefined }): Promise<Webhook>;
  /**
   * Records the event `webhook.test`, sends it at once, and returns the result. Does not throw if the receiver fails.
   *
   * @example const { fault, status } = await auth.asOperator('ops').webhooks.test('siem');
   */
  test(name: string): Promise<WebhookTest>;
  /** Deletes a webhook and its secret. */
  delete(name: string): Promise<void>;
}
