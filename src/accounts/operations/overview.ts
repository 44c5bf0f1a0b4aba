import { readBootstrapDetails } from '../../bootstrap/operations/plan-bootstrap.ts';
import type { Runtime } from '../../core/runtime.ts';
import { highestRole } from '../../core/user.ts';
import { sql } from '../../db/sql.ts';
import { countPendingInvitations } from '../../invitations/store.ts';
import { readPrincipal } from '../../organizations/operations/memberships.ts';
import { countOrganizations } from '../../organizations/store.ts';
import { type PasskeyRow, passkeyFromRow, selectByUser } from '../../passkeys/store.ts';
import type { Entitled } from '../../roles/entitled.ts';
import { type LastSignInRow, lastSignInFromRow, selectSignIns } from '../../users/store/sign-ins.ts';
import { countUsers } from '../../users/store.ts';
import { exportedPasskey } from '../exported-event.ts';
import type { Overview, UserDetails } from '../overview.ts';
import { findUserNamed } from './find-users.ts';
import { readAccount } from './get-account.ts';
import { listSessionsOfUser } from './list-sessions.ts';
import { listUsers } from './list-users.ts';

const mostSuperadmins = 100;

export async function readOverview(runtime: Runtime, by: Entitled<'user:read'>): Promise<Overview> {
  const [counts] = await runtime.db.query<{ users: string; organizations: string; invitations: string }>(sql`
    with u as (${countUsers}),
      o as (${countOrganizations}),
      i as (${countPendingInvitations})
    select u.users, o.organizations, i.invitations from u, o, i`);
  const { users } = await listUsers(runtime, by, { role: highestRole, limit: mostSuperadmins });
  const superadmins = await Promise.all(users.map((user) => readAccount(runtime, user.id, 'not_found')));
  const bootstrap = await readBootstrapDetails(runtime);
  const unfinished = superadmins.find(
    ({ account }) => bootstrap.state === 'unfinished' && account.id === bootstrap.id,
  );
  return {
    users: Number(counts?.users ?? 0),
    organizations: Number(counts?.organizations ?? 0),
    pendingInvitations: Number(counts?.invitations ?? 0),
    bootstrap: bootstrap.state,
    unfinishedSuperadmin: unfinished?.account.username ?? null,
    superadmins: superadmins.map(
      ({ account: { username, status, passkeyCount, hasPassword, recoveryCodesRemaining } }) => ({
        username,
        status,
        passkeyCount,
        hasPassword,
        recoveryCodesRemaining,
      }),
    ),
  };
}

/** Reads everything that operators can see about a user. @throws AuthError `not_found` */
export async function getUserDetails(
  runtime: Runtime,
  by: Entitled<'user:read'>,
  username: string,
): Promise<UserDetails> {
  return getUserDetailsById(runtime, by, (await findUserNamed(runtime, username)).id);
}

/** Like `getUserDetails`. @throws AuthError `not_found`, also for a deleted user */
export async function getUserDetailsById(
  runtime: Runtime,
  _: Entitled<'user:read'>,
  id: string,
): Promise<UserDetails> {
  const { account, fields, recoveryLink, disabledReason } = await readAccount(runtime, id, 'not_found');
  const principal = await readPrincipal(runtime, id);
  const [signIn] = await runtime.db.query<LastSignInRow>(selectSignIns([id]));
  const passkeys = await runtime.db.query<PasskeyRow>(selectByUser(id));
  const all = { ...account, fields: runtime.fields.readableBy('operator', fields) };
  return {
    user: runtime.fields.isEmpty ? account : all,
    disabledReason,
    lastSignIn: signIn ? lastSignInFromRow(signIn) : null,
    recoveryLink,
    passkeys: passkeys.map((row) => exportedPasskey(passkeyFromRow(row, null))),
    sessions: await listSessionsOfUser(runtime, id),
    memberships: [...(principal?.memberships ?? [])],
  };
}
