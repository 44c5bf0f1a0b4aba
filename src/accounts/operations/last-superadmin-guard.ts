import { type Attempt, refuse } from '../../audit/operations/refuse.ts';
import type { Operator, SignedInActor } from '../../core/actor.ts';
import { AuthError } from '../../core/errors.ts';
import { isUuid } from '../../core/identifiers.ts';
import type { Runtime } from '../../core/runtime.ts';
import type { User } from '../../core/user.ts';
import { andExists, type Sql, sql } from '../../db/sql.ts';
import { canLoseAuthority, isGuardedRole, type SuperadminState } from '../../roles/rules.ts';
import { claimRosterVersion, selectRosterVersion } from '../../roles/store.ts';
import { countActiveSuperadmins, selectUser, type UserRow, userFromRow } from '../../users/store.ts';

/** A user, with the facts that decide whether the user can be demoted, disabled or deleted. */
export interface GuardedUser extends SuperadminState {
  user: User;
  /** The account's version number, for `claimVersion`. */
  version: number;
  /** A counter for the whole service. Every demotion, disabling or deletion of a superadmin increments it. */
  rosterVersion: number;
}

/** @throws AuthError `not_found` */
export async function readGuardedUser(runtime: Runtime, userId: string): Promise<GuardedUser> {
  const [row] = isUuid(userId)
    ? await runtime.db.query<UserRow & { version: number; roster_version: number; superadmins: string }>(sql`
        with account as (${selectUser(userId)}),
          roster as (${selectRosterVersion}),
          superadmin as (${countActiveSuperadmins})
        select account.*, roster.roster_version, superadmin.superadmins from account, roster, superadmin`)
    : [];
  if (!row) throw new AuthError('not_found');
  const user = userFromRow(row);
  return {
    user,
    role: user.role,
    status: user.status,
    activeSuperadmins: Number(row.superadmins),
    version: row.version,
    rosterVersion: row.roster_version,
  };
}

/** Refuses a change that would leave the service without an active superadmin. @throws AuthError `last_superadmin` */
export async function refuseForLastSuperadmin(
  runtime: Runtime,
  actor: SignedInActor | Operator,
  guarded: GuardedUser,
  attempt: Attempt,
): Promise<void> {
  if (canLoseAuthority(guarded)) return;
  const code = 'last_superadmin';
  await refuse(runtime, actor, { ...attempt, code, reason: code });
}

/**
 * The CTE `guarded` of a statement that demotes, disables or deletes a user. Returns a row if the change is still
 * allowed.
 *
 * For a superadmin, the CTE requires an unchanged `rosterVersion` and increments it. So if two superadmins demote each
 * other at the same time, only one of the two statements succeeds.
 */
export const lastSuperadminGuard = ({ role, rosterVersion }: GuardedUser): Sql =>
  isGuardedRole(role)
    ? claimRosterVersion(rosterVersion, andExists('entitled'))
    : sql`select id from entitled`;
