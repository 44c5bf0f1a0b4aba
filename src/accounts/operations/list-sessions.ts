import type { SignedInActor } from '../../core/actor.ts';
import type { Runtime } from '../../core/runtime.ts';
import type { ListedSession, Session } from '../../core/session.ts';
import { labelsOfUser } from '../../passkeys/operations/labels.ts';
import { listSessions, listSessionsOf } from '../../sessions/operations.ts';

/** Returns the caller's live sessions, the most recently used first. */
export const listOwnSessions = (runtime: Runtime, actor: SignedInActor): Promise<ListedSession[]> =>
  described(runtime, actor.user.id, listSessions(runtime, actor));

/** Returns a user's live sessions, the most recently used first. */
export const listSessionsOfUser = (runtime: Runtime, userId: string): Promise<ListedSession[]> =>
  described(runtime, userId, listSessionsOf(runtime, userId));

/** The two reads run at the same time. A passkey that was removed between them has no label. */
async function described(
  runtime: Runtime,
  userId: string,
  read: Promise<Session[]>,
): Promise<ListedSession[]> {
  const [sessions, labels] = await Promise.all([read, labelsOfUser(runtime, userId)]);
  const places = await runtime.places.of(sessions.map(({ ip }) => ip));
  return sessions.map((session) => ({
    ...session,
    passkeyLabel: labels.get(session.passkeyId ?? '') ?? null,
    place: places.get(session.ip ?? '') ?? null,
  }));
}
