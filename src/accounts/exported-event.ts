import type { AuditEvent } from '../audit/event.ts';
import type { Impersonator, Session } from '../core/session.ts';
import type { Passkey } from '../passkeys/passkey.ts';
import type { ExportedImpersonator } from './user-export.ts';

/** The user whose data the service exports. */
export interface ExportedUser {
  id: string;
  /** The current and the earlier usernames. */
  usernames: ReadonlySet<string>;
}

/**
 * Removes the personal data of other users from an event (GDPR, Article 15(4)): the names, the IP address and the
 * browser. Ids stay. A caller without a session counts as the user, because most of these requests are the user's own
 * attempts to sign in. In an impersonated session, the IP address and the browser are those of the impersonator.
 *
 * @see https://gdpr-info.eu/art-15-gdpr/
 */
export function exportedEvent(event: AuditEvent, user: ExportedUser) {
  const { actor, impersonator, target } = event;
  const isActor = actor.id === user.id;
  const isSender = impersonator ? impersonator.id === user.id : isActor || actor.type === 'anonymous';
  const isAboutUser = target?.type === 'user' && target.id === user.id;
  const isNamed =
    isAboutUser ||
    target?.type === 'organization' ||
    target?.type === 'webhook' ||
    (isActor && namesLabel.has(event.event)) ||
    user.usernames.has(`${target?.name ?? ''}`);
  return {
    ...event,
    actor: isActor || actor.type !== 'user' ? actor : { ...actor, name: null },
    impersonator: exportedImpersonator(impersonator, user),
    target: target && (isNamed ? target : { ...target, name: null }),
    ip: isSender ? event.ip : null,
    userAgent: isSender ? event.userAgent : null,
    requestId: isSender ? event.requestId : null,
    details: exportedDetails(event, isAboutUser),
  };
}

/** The target of these events is a passkey of the actor, and its name is the label. */
const namesLabel: ReadonlySet<string> = new Set(['passkey.add', 'passkey.rename', 'passkey.remove']);

function exportedDetails({ event, details }: AuditEvent, isAboutUser: boolean): AuditEvent['details'] {
  // The reason for an impersonation, or for disabling the user, can name other users.
  if ('statedReason' in details) return { ...details, statedReason: null };
  // Only a change of a username has a username in its details.
  const { to: _, ...otherDetails } = details;
  return event.endsWith('.rename') && !isAboutUser ? otherDetails : details;
}

export const exportedPasskey = ({ current: _, ...passkey }: Passkey): Omit<Passkey, 'current'> => passkey;

/** Removes the name, the IP address and the browser of another user who uses the session. */
export function exportedSession({ current: _, ...session }: Session, user: ExportedUser) {
  const { impersonator } = session;
  const isSender = impersonator === null || impersonator.id === user.id;
  return {
    ...session,
    ip: isSender ? session.ip : null,
    userAgent: isSender ? session.userAgent : null,
    impersonator: exportedImpersonator(impersonator, user),
  };
}

const exportedImpersonator = (
  impersonator: Impersonator | null,
  user: ExportedUser,
): ExportedImpersonator | null =>
  impersonator?.type === 'user' && impersonator.id !== user.id
    ? { ...impersonator, name: null }
    : impersonator;
