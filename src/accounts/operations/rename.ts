import { recordRefusal } from '../../audit/operations/record-refusal.ts';
import { type Attempt, refuse } from '../../audit/operations/refuse.ts';
import { refuseUnentitled } from '../../audit/operations/refuse-unentitled.ts';
import { recordEvent } from '../../audit/store.ts';
import { isOperator, type SignedInActor } from '../../core/actor.ts';
import { bounds } from '../../core/bounds.ts';
import { AuthError, type ErrorCode } from '../../core/errors.ts';
import type { Runtime } from '../../core/runtime.ts';
import type { User } from '../../core/user.ts';
import { confirmAnswer } from '../../db/confirm-answer.ts';
import { andExists, from, raw, type Sql, sql } from '../../db/sql.ts';
import { violatesUnique } from '../../db/sql-states.ts';
import { retryVersionConflicts, versionConflict } from '../../db/version-conflict.ts';
import { moveInvitations, revokeOldInvitations } from '../../invitations/store.ts';
import type { Entitled } from '../../roles/entitled.ts';
import { sessionChecks } from '../../sessions/session-checks.ts';
import { askApplication } from '../../sign-up/operations/ask-application.ts';
import { assertUsernameAllowed } from '../../users/operations.ts';
import { retryIfSkeletonTaken } from '../../users/skeleton-conflict.ts';
import { countHeldUsernames, holdUsername, takeHeldUsername, usernameSince } from '../../users/store/held.ts';
import { claimVersionForUsername } from '../../users/store/versions.ts';
import { type UserRow, userFromRow } from '../../users/store.ts';
import { findUserToHelp, stillEntitledToHelp } from './find-user-to-help.ts';
import type { FoundUser } from './find-users.ts';
import { findOwnAccount } from './update-profile.ts';

/**
 * Changes the actor's own username, if `usernames.change` allows users to change their usernames. See `rename`.
 *
 * @throws AuthError `forbidden` | `username_unacceptable` | `username_taken` | `too_many_usernames` | `sign_up_refused`
 * @throws AuthError `not_authenticated` | `passkey_required` if the actor's session changes during the call
 */
export async function renameOwnAccount(
  runtime: Runtime,
  actor: SignedInActor,
  username: string,
): Promise<User> {
  const checks = sessionChecks(runtime, actor, 'privileged');
  return rename(runtime, username, {
    by: checks,
    event: 'account.rename',
    isAllowed: runtime.config.usernames.change === 'user',
    find: () => findOwnAccount(runtime, actor),
    entitled: checks.stillEntitled,
  });
}

/**
 * Changes the username of a user that the actor may help (see `obstacleToHelp`), if `usernames.change` allows admins to
 * change usernames. Operators can always change usernames. See `rename`.
 *
 * @throws AuthError `not_found` | `forbidden` | `username_unacceptable` | `username_taken` | `too_many_usernames` |
 *   `sign_up_refused`
 * @throws AuthError `not_authenticated` | `passkey_required` if the actor's session changes during the call
 */
export async function renameUser(
  runtime: Runtime,
  by: Entitled<'user:update'>,
  userId: string,
  username: string,
): Promise<User> {
  const event = 'user.rename';
  return rename(runtime, username, {
    by,
    event,
    isAllowed: isOperator(by.actor) || runtime.config.usernames.change !== 'never',
    find: () => findUserToHelp(runtime, by, { userId, event }),
    entitled: stillEntitledToHelp(by, userId),
  });
}

interface Renaming {
  by: Pick<Entitled<'user:update'>, 'actor' | 'stillEntitled' | 'stillSignedIn' | 'stillPrivileged'>;
  event: 'account.rename' | 'user.rename';
  /** Whether the configuration allows the change. */
  isAllowed: boolean;
  find(): Promise<FoundUser>;
  /** Repeats the check of the actor in the statement. */
  entitled: Sql;
}

/**
 * Changes a username in one statement.
 *
 * The earlier username stays taken, so that no other user can pretend to be this user. The user can go back to it. An
 * account holds at most ten earlier usernames.
 *
 * An invitation to the service can name a username. If it was created after the user got the earlier username, it
 * changes to the new username. The statement revokes older invitations for the earlier username and all invitations for
 * the new username, because they could be meant for another user. Invitations to organizations, recovery links and
 * recovery codes belong to the id of the account, so they do not change. The user handle of the passkeys does not
 * change either.
 */
async function rename(runtime: Runtime, given: string, renaming: Renaming): Promise<User> {
  const { by, event, isAllowed, find } = renaming;
  let attempt: Attempt = { event };
  let mustAsk = !isOperator(by.actor);
  try {
    return await retryVersionConflicts(async () => {
      const found = await find();
      attempt = attemptOn(event, found);
      const refuseWith = (code: ErrorCode, reason: string = code) =>
        refuse(runtime, by.actor, { ...attempt, code, reason });
      if (!isAllowed) return refuseWith('forbidden', 'username_change_not_allowed');
      const username = await assertUsernameAllowed(runtime, given, found.user.id).catch((error) => {
        if (!(error instanceof AuthError)) throw error;
        return recordRefusal(runtime, by.actor, attempt, error);
      });
      if (username === found.user.username) return confirmAnswer(runtime, found.user);
      const [count] = await runtime.db.query<{ held: string }>(countHeldUsernames(found.user.id, username));
      if (Number(count?.held) >= bounds.heldUsernames) return refuseWith('too_many_usernames');
      if (mustAsk) {
        const { displayName } = found.user;
        const request = { kind: 'rename', username, displayName, user: found.user } as const;
        await askApplication(runtime, by.actor, request, attempt);
        mustAsk = false;
      }
      const changing = changeUsername(runtime, renaming, found, username);
      return runtime.config.lookAlikes === 'refuse' ? changing : changing.catch(retryIfSkeletonTaken);
    });
  } catch (error) {
    // A concurrent statement was faster.
    if (violatesUnique(error, 'username'))
      return refuse(runtime, by.actor, { ...attempt, code: 'username_taken', reason: 'username_taken' });
    if (violatesUnique(error, 'skeleton')) {
      const refusal = {
        code: 'username_unacceptable',
        reason: 'look_alike',
        publicReason: 'look_alike',
      } as const;
      return refuse(runtime, by.actor, { ...attempt, ...refusal });
    }
    throw error;
  }
}

async function changeUsername(
  runtime: Runtime,
  { by, event, entitled }: Renaming,
  found: FoundUser,
  username: string,
): Promise<User | typeof versionConflict> {
  const { user, version } = found;
  const attempt = attemptOn(event, found);
  const entry = { ...attempt, outcome: 'success', details: { to: username } } as const;
  const names = { from: user.username, to: username, since: usernameSince(user.id) };
  const { lookAlikes } = runtime.config;
  const counts = {
    movedInvitations: raw('select count(*) from moved'),
    revokedInvitations: raw('select count(*) from revoked'),
  };
  const [row] = await runtime.db.query<UserRow | { user_id: null }>(sql`
    with entitled as (${entitled}),
      changed as (${claimVersionForUsername(user.id, version, username, lookAlikes, andExists('entitled'))}),
      taken as (${takeHeldUsername(user.id, username, andExists('changed'))}),
      held as (${holdUsername(user.id, user.username, from('changed'))}),
      moved as (${moveInvitations(names, andExists('changed'))}),
      revoked as (${revokeOldInvitations(names, andExists('changed'))}),
      entry as (${recordEvent(by.actor, entry, from('changed'), undefined, counts)})
    select changed.* from entitled left join changed on true`);
  if (!row) return refuseUnentitled(runtime, by, attempt);
  return row.user_id === null ? versionConflict : userFromRow(row);
}

/** The name of the target is the username before the change. */
const attemptOn = (event: Renaming['event'], { user, organizationId }: FoundUser): Attempt => ({
  event,
  target: { type: 'user', id: user.id, name: user.username },
  organizationId,
});
