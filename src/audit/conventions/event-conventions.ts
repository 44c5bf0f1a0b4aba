import type { AuditEvent } from '../event.ts';
import type { AuditEventName } from '../event-names.ts';
import { accountEvents } from './account-events.ts';
import { administrationEvents } from './administration-events.ts';
import type { EventConvention } from './convention.ts';
import { organizationEvents } from './organization-events.ts';
import type { SharedSignal } from './shared-signals.ts';
import { webhookEvents } from './webhook-events.ts';

/** What each event name means. If the compiler reports this line, describe the new event in one of these tables. */
export const eventConventions: Readonly<Record<AuditEventName, EventConvention>> = {
  ...accountEvents,
  ...administrationEvents,
  ...organizationEvents,
  ...webhookEvents,
};

/**
 * Returns the event types of the OpenID Shared Signals Framework (CAEP 1.0, RISC 1.0) that correspond to an audit event.
 * The list is empty for a refused attempt, for an event of an unknown name, and for an event without a corresponding
 * type. Use it to build Security Event Tokens (RFC 8417) with your own issuer and subjects.
 *
 * `docs/reference/audit-events.md` says which claims you must add, and which sessions a `session-revoked` ends.
 *
 * @example
 * for (const { type, claims } of sharedSignalsOf(event)) {
 *   await send({ jti: event.id, events: { [type]: { ...claims, event_timestamp: Date.parse(event.at) / 1000 } } });
 * }
 */
export function sharedSignalsOf({ event, outcome }: Pick<AuditEvent, 'event' | 'outcome'>): SharedSignal[] {
  if (outcome !== 'success' || !Object.hasOwn(eventConventions, event)) return [];
  return structuredClone([...(eventConventions[event as AuditEventName].signals ?? [])]);
}
