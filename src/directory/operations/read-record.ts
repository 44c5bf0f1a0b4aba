import { readAccount } from '../../accounts/operations/get-account.ts';
import { listSessionsOfUser } from '../../accounts/operations/list-sessions.ts';
import { isSignedIn } from '../../core/actor.ts';
import { AuthError } from '../../core/errors.ts';
import type { Runtime } from '../../core/runtime.ts';
import type { User } from '../../core/user.ts';
import { selectMembershipsForHelper } from '../../organizations/store/managed.ts';
import { type OrganizationRow, selectOrganizationsOf } from '../../organizations/store.ts';
import { type PasskeyRow, passkeyFromRow, selectByUser } from '../../passkeys/store.ts';
import type { Entitled } from '../../roles/entitled.ts';
import type { OrganizationRole } from '../../roles/principal.ts';

import { type LastSignInRow, lastSignInFromRow, selectSignIns } from '../../users/store/sign-ins.ts';
import { countActiveSuperadmins } from '../../users/store.ts';
import { actionsOn, visibleDetails } from '../rules.ts';
import type { UserActionState, UserRecordDetails } from '../user-record.ts';

/**
 * Reads how a user signs in, and what the actor can do with the user. The caller must have checked that the actor can
 * read the user. The statements run in two groups. The statements of a group run at the same time. Sessions, sign-ins
 * and uses of passkeys are read only if the actor can read all users.
 *
 * @param user the result of `getUser`
 * @throws AuthError `not_found` if the user was deleted after `getUser`
 */
export async function readUserRecord(
  runtime: Runtime,
  { actor }: Entitled<'user:read'>,
  user: User,
): Promise<{
  /** Null: the actor cannot read them. */
  details: UserRecordDetails | null;
  actions: UserActionState[];
}> {
  if (!isSignedIn(actor)) throw new AuthError('forbidden');
  const [memberships, superadmins] = await Promise.all([
    runtime.db.query<{ member_role: OrganizationRole; managed: boolean }>(
      selectMembershipsForHelper(user.id, actor.user.id),
    ),
    runtime.db.query<{ superadmins: string }>(countActiveSuperadmins),
  ]);
  const given = {
    grants: runtime.grants,
    caller: actor.user,
    user,
    memberships: memberships.map(({ member_role: role, managed }) => ({ role, managedByHelper: managed })),
    activeSuperadmins: Number(superadmins[0]?.superadmins ?? 0),
    impersonation: runtime.config.impersonation,
    renames: runtime.config.usernames.change !== 'never',
  };
  const visible = visibleDetails(given);
  return {
    details: visible && (await readDetails(runtime, user.id, visible === 'all')),
    actions: actionsOn(given),
  };
}

async function readDetails(runtime: Runtime, userId: string, seesUses: boolean): Promise<UserRecordDetails> {
  const { db } = runtime;
  const [{ account, recoveryLink }, signIns, passkeys, sessions, organizations] = await Promise.all([
    readAccount(runtime, userId, 'not_found'),
    seesUses ? db.query<LastSignInRow>(selectSignIns([userId])) : [],
    db.query<PasskeyRow>(selectByUser(userId)),
    seesUses ? listSessionsOfUser(runtime, userId) : null,
    runtime.grants.organizations
      ? db.query<OrganizationRow & { member_role: OrganizationRole }>(selectOrganizationsOf(userId))
      : [],
  ]);
  const { hasPassword, recoveryCodesRemaining } = account;
  return {
    hasPassword,
    recoveryCodesRemaining,
    lastSignIn: signIns[0] ? lastSignInFromRow(signIns[0]) : null,
    passkeys: passkeys.map((row) => ({
      ...passkeyFromRow(row, null),
      ...(!seesUses && { lastUsedAt: null, lastUsedIp: null, lastUsedUserAgent: null }),
    })),
    sessions,
    organizations: organizations.map(({ organization_id: id, name, slug, member_role: role }) => ({
      id,
      name,
      slug,
      role,
    })),
    recoveryLink,
  };
}
