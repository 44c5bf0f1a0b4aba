export const webhookStates = ['active', 'paused', 'disabled'] as const;

/**
 * - `active`: the service sends events
 * - `paused`: a user, an operator or the service paused it; `WebhookReason` says why the service did
 * - `disabled`: the receiver answered 410 (Gone)
 */
export type WebhookState = (typeof webhookStates)[number];

export const webhookReasons = ['failing', 'gone', 'log_changed', 'secret_unreadable'] as const;

/**
 * Why the service paused or disabled a webhook:
 *
 * - `failing`: the receiver did not accept an event for three days
 * - `gone`: the receiver answered 410 (Gone)
 * - `log_changed`: the audit log no longer contains the last delivered event, for example after a restore of a backup
 * - `secret_unreadable`: JWT_SECRET no longer contains the secret that encrypted the webhook's secret
 */
export type WebhookReason = (typeof webhookReasons)[number];

export const deliveryFaults = [
  'address_refused',
  'unknown_host',
  'tls_failed',
  'connection_failed',
  'incomplete',
  'timeout',
  'redirected',
  'refused',
  'secret_unreadable',
] as const;

/**
 * Why an attempt failed:
 *
 * - `address_refused`: the host has no address that webhooks can reach
 * - `unknown_host`: the host has no address
 * - `tls_failed`: for example, the certificate is invalid
 * - `connection_failed`: the connection could not be opened, or it ended early
 * - `incomplete`: the receiver answered before it had the complete event, or its response was incomplete
 * - `timeout`: the receiver took longer than 15 seconds
 * - `redirected`: the service follows no redirects
 * - `refused`: the receiver answered with a status that is neither 2xx nor 3xx
 * - `secret_unreadable`: the secret cannot be decrypted, so nothing was sent
 */
export type DeliveryFault = (typeof deliveryFaults)[number];

/** A failed attempt to deliver an event. */
export interface FailedAttempt {
  fault: DeliveryFault;
  /** The status of the response. Null: there was no response. */
  status: number | null;
  /** The pause that the receiver asked for. Null: none. */
  retryAfterMs: number | null;
}

/** A destination for audit events. */
export interface Webhook {
  id: string;
  name: string;
  url: string;
  /** The names of the events that it gets, or event prefixes that end with a dot. Null: all events. */
  events: string[] | null;
  state: WebhookState;
  /** Null: active, or paused by a user or an operator. */
  reason: WebhookReason | null;
  /** The cursor of the last event that was delivered or left out by the filter. Null: the start of the log. */
  cursor: string | null;
  /** How many attempts to deliver the next event have failed. */
  failedAttempts: number;
  /** When the first of these attempts failed. RFC 3339. Null: none failed. */
  failingSince: string | null;
  /** When the service tries again. RFC 3339. Null: it is not waiting. */
  nextAttemptAt: string | null;
  /** The last attempt. Null: there was none. */
  lastAttempt: {
    /** RFC 3339. */
    at: string;
    /** The status of the response. Null: there was no response. */
    status: number | null;
    /** Null: the receiver accepted the event. */
    fault: DeliveryFault | null;
  } | null;
  /** RFC 3339. */
  createdAt: string;
  /** Until when signatures also use the earlier secret. RFC 3339. Null: only the current secret. */
  rotatingUntil: string | null;
}

/** A webhook with its new secret. */
export interface WebhookWithSecret {
  webhook: Webhook;
  /** For verifying signatures: `whsec_` and base64. Shown only once. */
  secret: string;
}

/** The result of a test. */
export interface WebhookTest {
  /** Null: the receiver accepted the event. */
  fault: DeliveryFault | null;
  /** The status of the response. Null: there was no response. */
  status: number | null;
  durationMs: number;
  /** The id of the audit event that was sent. */
  eventId: string;
}
