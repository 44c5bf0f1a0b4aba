import type { AuditEvent } from '../audit/event.ts';
import { second } from '../core/duration.ts';
import { signatureOf } from './signature.ts';

/** A request to a receiver: the headers and the body. */
export interface WebhookMessage {
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** An event to send. */
export interface SentEvent {
  event: AuditEvent;
  /** The position in the audit log, as decimal digits. Null: a test, which is sent outside of the order. */
  position: string | null;
}

/** The digits of the largest position, 2^63 - 1. With this padding, the order of texts is the order of positions. */
const sequenceDigits = 19;

/**
 * Creates the request for an event: a CloudEvent in the structured JSON form, signed as Standard Webhooks. Each attempt
 * gets the current time, because receivers reject old timestamps.
 *
 * @param source the first origin of the service
 * @param secrets the current secret, and during a rotation also the earlier one
 * @see https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/formats/json-format.md
 * @see https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/extensions/sequence.md
 */
export function messageOf(
  { event, position }: SentEvent,
  { source, secrets, now }: { source: string; secrets: readonly string[]; now: Date },
): WebhookMessage {
  const { id, at, target } = event;
  const body = JSON.stringify({
    specversion: '1.0',
    id,
    type: event.event,
    source,
    ...(target?.id && { subject: `${target.type}/${target.id}` }),
    time: at,
    ...(position !== null && { sequence: position.padStart(sequenceDigits, '0') }),
    datacontenttype: 'application/json',
    data: event,
  });
  const timestamp = Math.floor(now.getTime() / second);
  return {
    headers: {
      'content-type': 'application/cloudevents+json; charset=utf-8',
      'user-agent': 'Latchkey',
      'webhook-id': id,
      'webhook-timestamp': `${timestamp}`,
      'webhook-signature': signatureOf(secrets, { id, timestamp, body }),
    },
    body,
  };
}
