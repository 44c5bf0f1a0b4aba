import { expectParts, type Send, unwrap } from './requests.ts';

/** A server to which the service sends audit events. All times are RFC 3339. */
export interface Webhook {
  id: string;
  name: string;
  url: string;
  /** Names of events, and event prefixes that end with a dot. Null: all events. */
  events: string[] | null;
  /** `paused`: a user, an operator or the service paused it (see `reason`). `disabled`: the receiver answered 410. */
  state: 'active' | 'paused' | 'disabled';
  /** Why the service paused or disabled the webhook. Null: it did not. */
  reason: 'failing' | 'gone' | 'log_changed' | 'secret_unreadable' | null;
  /** The cursor of the last event that was delivered or left out by the filter. Null: the start of the log. */
  cursor: string | null;
  /** How many attempts to deliver the next event have failed. */
  failedAttempts: number;
  failingSince: string | null;
  nextAttemptAt: string | null;
  lastAttempt: { at: string; status: number | null; fault: WebhookTest['fault'] } | null;
  createdAt: string;
  /** Until then, each request also has a signature with the earlier secret. Null: only with the current one. */
  rotatingUntil: string | null;
}

/** A webhook with its new secret, which is shown only once. */
export interface WebhookWithSecret {
  webhook: Webhook;
  secret: string;
}

/** The result of a test event. */
export interface WebhookTest {
  /** Why the attempt failed. Null: the receiver accepted the event. */
  fault:
    | 'address_refused'
    | 'unknown_host'
    | 'tls_failed'
    | 'connection_failed'
    | 'incomplete'
    | 'timeout'
    | 'redirected'
    | 'refused'
    | 'secret_unreadable'
    | null;
  /** The status of the response. Null: there was no response. */
  status: number | null;
  durationMs: number;
  eventId: string;
}

/** A webhook to create. */
export interface NewWebhook {
  /** 1 to 64 lowercase letters, digits and hyphens. */
  name: string;
  /** An `https` URL of a public host, without credentials and without a fragment. */
  url: string;
  /** Names of events, or event prefixes that end with a dot. Default: all events. */
  events?: string[] | null | undefined;
  /** `end` (default): only new events. `start`: from the start of the audit log. A cursor: after its event. */
  after?: string | undefined;
}

/**
 * Servers to which the service sends audit events, signed as Standard Webhooks. For superadmins. Every method except
 * `list` needs fresh authentication.
 */
export interface WebhooksClient {
  /** Lists all webhooks, sorted by name. @throws AuthClientError `forbidden` */
  list(options?: { signal?: AbortSignal }): Promise<Webhook[]>;
  /**
   * Creates a webhook. Its secret is shown only once.
   *
   * @throws AuthClientError `invalid_request`, with the invalid values in `errors` | `webhook_name_taken` |
   *   `too_many_webhooks` | `log_changed`
   * @example
   * const { secret } = await auth.webhooks.create({ name: 'siem', url: 'https://siem.example.com/latchkey' });
   */
  create(webhook: NewWebhook): Promise<WebhookWithSecret>;
  /** Changes the URL or the event filter. @throws AuthClientError `invalid_request` | `not_found` */
  update(
    id: string,
    change: { url?: string | undefined; events?: string[] | null | undefined },
  ): Promise<Webhook>;
  /** Replaces the secret. For 24 hours, requests also have a signature with the earlier one. */
  rotateSecret(id: string): Promise<WebhookWithSecret>;
  /** Pauses a webhook. `resume` continues after the last delivered event. */
  pause(id: string): Promise<Webhook>;
  /**
   * Makes a paused or disabled webhook active again.
   *
   * @throws AuthClientError `log_changed` if the audit log does not contain the last delivered event or the event of the
   *   cursor
   */
  resume(id: string, options?: { after?: string | undefined }): Promise<Webhook>;
  /** Sends a test event at once. Does not throw if the receiver fails. */
  test(id: string): Promise<WebhookTest>;
  /** Deletes a webhook and its secret. @throws AuthClientError `not_found` */
  delete(id: string): Promise<void>;
}

const path = '/admin/webhooks';

export function webhooksClient(send: Send): WebhooksClient {
  const at = (id: string, action = '') => `${path}/${encodeURIComponent(id)}${action}`;
  return {
    list: async ({ signal } = {}) => unwrap(await send('GET', path, { signal }), 'webhooks'),
    create: async ({ name, url, events, after }) =>
      expectParts<WebhookWithSecret>(
        await send('POST', path, { body: { name, url, events, after } }),
        'webhook',
        'secret',
      ),
    update: async (id, { url, events }) =>
      unwrap(await send('PATCH', at(id), { body: { url, events } }), 'webhook'),
    rotateSecret: async (id) =>
      expectParts<WebhookWithSecret>(await send('POST', at(id, '/rotate-secret')), 'webhook', 'secret'),
    pause: async (id) => unwrap(await send('POST', at(id, '/pause')), 'webhook'),
    resume: async (id, { after } = {}) =>
      unwrap(await send('POST', at(id, '/resume'), { body: { after } }), 'webhook'),
    test: async (id) =>
      expectParts<WebhookTest>(await send('POST', at(id, '/test')), 'durationMs', 'eventId'),
    async delete(id) {
      await send('DELETE', at(id));
    },
  };
}
