import type { AuditEvent } from '../audit/event.ts';

/** The user whose data the service exports. */
export interface ExportedUser {
  id: string;
  /** The current and the earlier usernames. */
  usernames: ReadonlySet<string>;
}

/**
 * Removes the personal data of other users from an event (GDPR, Article 15(4)): the names, the IP address and the
 * browser. Ids stay. A caller without a session counts as the user, because most of these requests are the user's own
 * attempts to sign in.
 *
 * @see https://gdpr-info.eu/art-15-gdpr/
 */
export function exportedEvent(event: AuditEvent, user: ExportedUser): AuditEvent {
  const { actor, target, details } = event;
  const isActor = actor.id === user.id;
  const isSender = isActor || actor.type === 'anonymous';
  const isAboutUser = target?.type === 'user' && target.id === user.id;
  const isNamed =
    isAboutUser || target?.type === 'organization' || user.usernames.has(`${target?.name ?? ''}`);
  const { to: _, ...otherDetails } = details;
  return {
    ...event,
    actor: isActor || actor.type !== 'user' ? actor : { ...actor, name: null },
    target: target && (isNamed ? target : { ...target, name: null }),
    ip: isSender ? event.ip : null,
    userAgent: isSender ? event.userAgent : null,
    requestId: isSender ? event.requestId : null,
    // Only a change of a username has a username in its details.
    details: /\.rename$/.test(event.event) && !isAboutUser ? otherDetails : details,
  };
}
