import { v7 as uuid } from 'uuid';
import { type FoundUser, findUserWithin } from '../../accounts/operations/find-users.ts';
import { refuse } from '../../audit/operations/refuse.ts';
import { refuseUnentitled } from '../../audit/operations/refuse-unentitled.ts';
import { recordEvent } from '../../audit/store.ts';
import { isSignedIn } from '../../core/actor.ts';
import { AuthError } from '../../core/errors.ts';
import type { Runtime } from '../../core/runtime.ts';
import type { OpenedSession } from '../../core/session.ts';
import type { User } from '../../core/user.ts';
import { andExists, from, sql } from '../../db/sql.ts';
import { retryVersionConflicts, versionConflict } from '../../db/version-conflict.ts';
import type { Entitled } from '../../roles/entitled.ts';
import { deleteOtherSessionsOfImpersonator } from '../../sessions/store/ending.ts';
import { type OpenedSessionRow, openedFromRow } from '../../sessions/store/session-row.ts';
import { deletePresented, insertSession } from '../../sessions/store.ts';
import { newSessionToken } from '../../sessions/token.ts';
import { claimVersion, incrementVersion } from '../../users/store/versions.ts';
import { obstacleCodes, obstacleToImpersonate } from '../rules.ts';

const event = 'impersonation.start';

/** An impersonated session. `user` is the user whose account the impersonator uses. */
export interface StartedImpersonation extends OpenedSession {
  user: User;
}

/**
 * Finds a user whose account the superadmin may use. Records a refusal in the audit log.
 *
 * @throws AuthError `not_found` | `forbidden` | `account_disabled`
 */
export async function findUserToImpersonate(
  runtime: Runtime,
  by: Entitled<'user:impersonate'>,
  userId: string,
): Promise<FoundUser> {
  const found = await findUserWithin(runtime, by, { userId, event });
  const { user } = found;
  const target = { type: 'user', id: user.id, name: user.username } as const;
  const obstacle = obstacleToImpersonate(isSignedIn(by.actor) ? by.actor.user : null, user);
  if (obstacle === null) return found;
  return refuse(runtime, by.actor, { event, target, code: obstacleCodes[obstacle], reason: obstacle });
}

/**
 * Opens a session as a user with a lower role. The session replaces the session of the superadmin. Also ends any other
 * impersonated session of the same superadmin.
 *
 * The new session depends on the deletion of the superadmin's session. So concurrent requests of one session open at
 * most one impersonated session, and none if the superadmin's session ends at the same time.
 *
 * The statement increments the versions of both accounts, so a concurrent change of a role has to retry. The retry also
 * ends this session. The statement locks the account of the superadmin first. No statement locks two accounts in the
 * other order, because the user is never a superadmin.
 *
 * @param reason from `statedReason`, for the audit log
 * @throws AuthError `not_found` | `forbidden` | `account_disabled` | `not_authenticated` | `passkey_required`
 */
export async function startImpersonation(
  runtime: Runtime,
  by: Entitled<'user:impersonate'>,
  userId: string,
  reason: string,
): Promise<StartedImpersonation> {
  const { actor } = by;
  // Operators use a link instead. An impersonated session cannot start another impersonation.
  if (!isSignedIn(actor) || actor.session.impersonator) throw new AuthError('forbidden');
  return retryVersionConflicts(async () => {
    const { user, version } = await findUserToImpersonate(runtime, by, userId);
    const target = { type: 'user', id: user.id, name: user.username } as const;
    const id = uuid();
    const token = newSessionToken();
    const impersonator = { type: 'user', id: actor.user.id, name: actor.user.username } as const;
    const opened = { id, user, token, kind: 'full', method: 'impersonation', impersonator } as const;
    const details = { statedReason: reason, sessionId: id };
    const [row] = await runtime.db.query<OpenedSessionRow>(sql`
      with entitled as (${by.stillEntitled}),
        own as (${incrementVersion(actor.user.id, andExists('entitled'))}),
        claimed as (${claimVersion(user.id, version, andExists('own'))}),
        replaced as (${deletePresented(actor, andExists('claimed'))}),
        ended as (${deleteOtherSessionsOfImpersonator(opened, andExists('replaced'))}),
        session as (${insertSession(opened, actor, runtime.config, from('replaced'))}),
        entry as (${recordEvent(actor, { event, outcome: 'success', target, details }, from('replaced'))})
      select * from session`);
    if (row) return { user, ...openedFromRow(row, token) };
    const isEntitled = (await runtime.db.query(by.stillEntitled)).length > 0;
    // The account of the user has changed.
    return isEntitled ? versionConflict : refuseUnentitled(runtime, by, { event, target });
  });
}
