import type { AuditEvent } from '../audit/event.ts';
import type { FieldSet } from '../core/field-set.ts';
import type { User } from '../core/user.ts';
import { exportedEvent } from './exported-event.ts';
import type { ExportedImpersonator } from './user-export.ts';

/** An event of the caller's own account, without the personal data of other users and the names of operators. */
export type OwnEvent = Omit<AuditEvent, 'impersonator'> & { impersonator: ExportedImpersonator | null };

/**
 * A refusal for one of these reasons gets the same response as an unknown id, but an unknown id records no event. So the
 * user must not see these events: they would reveal that the id exists, and the name of the organization.
 */
export const reasonsOfHiddenRefusals = [
  'not_a_member',
  'not_of_their_organizations',
  'not_own_user_invitation',
] as const;

/** Converts an event of the account for its user. */
export function ownEvent(
  given: AuditEvent,
  user: Pick<User, 'id' | 'username'>,
  fields: Pick<FieldSet, 'readableBy'>,
): OwnEvent {
  const owner = { id: user.id, usernames: new Set([user.username]) };
  const event = withoutForeignCredential(exportedEvent(given, owner), user.id);
  return {
    ...event,
    actor: withoutOperatorName(event.actor),
    impersonator: event.impersonator && withoutOperatorName(event.impersonator),
    details: withReadableFields(event.details, fields),
  };
}

/** The name of an operator can contain the name of a server and of an account on it. */
const withoutOperatorName = <T extends { type: string; name: string | null }>(by: T): T =>
  by.type === 'operator' ? { ...by, name: null } : by;

/**
 * Shows a step-up with a credential of another account like a step-up with an unknown credential. Otherwise, users could
 * find out which credential ids belong to other accounts.
 */
function withoutForeignCredential(event: OwnEvent, userId: string): OwnEvent {
  const { actor, target, details } = event;
  const isForeign =
    event.event === 'passkey.stepup' &&
    event.outcome === 'failure' &&
    actor.id === userId &&
    target?.type === 'user' &&
    target.id !== userId;
  return isForeign
    ? { ...event, target: null, details: { ...details, reason: 'credential_unknown' } }
    : event;
}

/** Leaves out the names of changed fields that the user cannot read. */
function withReadableFields(
  details: AuditEvent['details'],
  fields: Pick<FieldSet, 'readableBy'>,
): AuditEvent['details'] {
  if (typeof details.changed !== 'string') return details;
  const names = details.changed.split(', ');
  const readable = fields.readableBy('user', Object.fromEntries(names.map((name) => [name, true])));
  const shown = names.filter((name) => name === 'displayName' || Object.hasOwn(readable, name));
  return { ...details, changed: shown.join(', ') };
}
