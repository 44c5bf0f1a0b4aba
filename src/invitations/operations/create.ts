import { v7 as uuid } from 'uuid';
import { refuse } from '../../audit/operations/refuse.ts';
import { refuseUnentitled } from '../../audit/operations/refuse-unentitled.ts';
import { recordEvent } from '../../audit/store.ts';
import { type Actor, isSignedIn } from '../../core/actor.ts';
import { bounds } from '../../core/bounds.ts';
import { AuthError } from '../../core/errors.ts';
import type { Runtime } from '../../core/runtime.ts';
import { andExists, from, type Sql, sql } from '../../db/sql.ts';
import { retryVersionConflicts, versionConflict } from '../../db/version-conflict.ts';
import type { Entitled } from '../../roles/entitled.ts';
import { isAtLeast } from '../../roles/rules.ts';
import { hashToken, newSessionToken } from '../../sessions/token.ts';
import { canonicalUsername, usernameLookup } from '../../users/rules.ts';
import { claimVersion } from '../../users/store/versions.ts';
import {
  selectUser,
  selectUsername,
  selectUsernameHolder,
  type UserRow,
  userFromRow,
} from '../../users/store.ts';
import type { CreatedInvitation, InvitedRole } from '../invitation.ts';
import { countPendingCreatedBy, type InvitationRow, insertInvitation, invitationFromRow } from '../store.ts';

const event = 'invitation.create';
const secondsInHour = 60 * 60;

export interface InvitationRequest {
  /**
   * The only user who can accept. The account does not need to exist yet. If absent, any user with the link can accept,
   * until one user has accepted.
   */
  username?: string | undefined;
  /** A whole number from 1 to 720. */
  expiresInHours: number;
}

/**
 * Creates an admin invitation.
 *
 * @throws AuthError `feature_disabled` if the service has no admin invitations
 * @throws AuthError `username_unacceptable` for a name that no user can have
 * @throws AuthError `role_already_held` | `account_disabled` | `too_many_invitations`
 * @throws AuthError `not_authenticated` | `forbidden` if the actor's session ends or role changes during the call
 */
export async function createInvitation(
  runtime: Runtime,
  by: Entitled<'invitation:manage'>,
  request: InvitationRequest,
): Promise<CreatedInvitation> {
  const code = 'feature_disabled';
  if (!runtime.config.adminInvitations) return refuse(runtime, by.actor, { event, code, reason: code });
  return create(runtime, by, 'admin', request);
}

/**
 * Creates a user invitation. A new user can sign up with it.
 *
 * @throws AuthError `sign_up_closed` if the mode does not allow any sign-up
 * @throws AuthError `role_already_held` if a user has the username
 * @throws the other errors of `createInvitation`
 */
export async function createUserInvitation(
  runtime: Runtime,
  by: Entitled<'user:invite'>,
  request: InvitationRequest,
): Promise<CreatedInvitation> {
  const code = 'sign_up_closed';
  if (runtime.config.signUpMode === 'closed') return refuse(runtime, by.actor, { event, code, reason: code });
  return create(runtime, by, 'user', request);
}

const largestPending = { user: bounds.userInvitations, admin: bounds.adminInvitations } as const;

/**
 * Stores only the hash of the token.
 *
 * The statement increments the version of the creator's account, and writes only if this version is unchanged. So
 * concurrent requests cannot exceed the largest number of pending invitations of a user. Operators have no limit.
 *
 * The statement does the same with the account that has the username. So a concurrent request that renames or deletes
 * the account has to read it again, and then also moves or revokes this invitation. If no account has the username, the
 * statement checks that this is still true.
 */
async function create(
  runtime: Runtime,
  by: Entitled<'invitation:manage' | 'user:invite'>,
  role: InvitedRole,
  { username: given, expiresInHours }: InvitationRequest,
): Promise<CreatedInvitation> {
  const { actor } = by;
  const token = newSessionToken();
  const creator = isSignedIn(actor) ? actor.user : null;
  return retryVersionConflicts(async () => {
    const invitee = given === undefined ? null : await resolveInvitee(runtime, actor, given, role);
    const username = invitee?.username ?? null;
    const invitation = {
      id: uuid(),
      tokenHash: hashToken(token),
      role,
      username,
      createdBy: creator?.id ?? null,
      lifetimeSeconds: expiresInHours * secondsInHour,
    };
    const target = { type: 'invitation', id: invitation.id, name: username } as const;
    const entry = { event, outcome: 'success', target, details: { role, expiresInHours } } as const;
    const state = creator && (await readCreator(runtime, creator.id, role));
    if (state && state.pending >= largestPending[role]) {
      const code = 'too_many_invitations';
      return refuse(runtime, actor, { event, code, reason: code, target: { ...target, id: null } });
    }
    const claimed = state
      ? claimVersion(state.id, state.version, andExists('entitled'))
      : sql`select id from entitled`;
    const [row] = await runtime.db.query<InvitationRow | { invitation_id: null }>(sql`
      with entitled as (${by.stillEntitled}),
        claimed as (${claimed}),
        named as (${stillNamed(invitee, creator)}),
        invitation as (${insertInvitation(invitation, from('named'))}),
        entry as (${recordEvent(actor, entry, from('invitation'))})
      select invitation.* from entitled left join invitation on true`);
    if (!row) return refuseUnentitled(runtime, by, { event });
    if (row.invitation_id === null) return versionConflict;
    return {
      invitation: invitationFromRow({ ...row, creator_name: creator?.username ?? null, acceptor_name: null }),
      token,
      url: `${runtime.config.invitationPage}#token=${token}`,
    };
  });
}

/** Reads the version of the creator's account, and the number of pending invitations. Null: the account is deleted. */
async function readCreator({ db }: Runtime, id: string, role: InvitedRole) {
  const [row] = await db.query<{ version: number; pending: string }>(sql`
    with account as (${selectUser(id)}),
      created as (${countPendingCreatedBy(id, role)})
    select account.version, created.pending from account, created`);
  return row ? { id, version: row.version, pending: Number(row.pending) } : null;
}

interface Invitee {
  /** Canonical. */
  username: string;
  /** Null: no account has the username. */
  account: { id: string; version: number } | null;
}

/** Returns a row of `claimed` if the username still belongs to the account that was read, or to no account. */
function stillNamed(invitee: Invitee | null, creator: { id: string } | null): Sql {
  // One statement can claim an account only once.
  if (invitee === null || (invitee.account !== null && invitee.account.id === creator?.id))
    return sql`select id from claimed`;
  const { account, username } = invitee;
  return account
    ? claimVersion(account.id, account.version, andExists('claimed'))
    : sql`select claimed.id from claimed where not exists (${selectUsername(username)})`;
}

/** Checks that the named user can accept the invitation. */
async function resolveInvitee(
  runtime: Runtime,
  actor: Actor,
  given: string,
  role: InvitedRole,
): Promise<Invitee> {
  const rule = runtime.config.usernames;
  const { problem } = canonicalUsername(given, rule);
  const lookup = usernameLookup(given, rule);
  const [row] =
    lookup.canonical === ''
      ? []
      : await runtime.db.query<UserRow & { version: number; deleted: boolean }>(selectUsernameHolder(lookup));
  const username = row?.username ?? lookup.canonical;
  // A reserved name is accepted if an account has it, because a bootstrap can create an account with a reserved name.
  if (problem && !row) throw new AuthError('username_unacceptable', { reason: problem });
  // The username of a deleted or erased account stays taken.
  const isTaken = row?.deleted ?? (await runtime.db.query(selectUsername(username))).length > 0;
  if (isTaken) throw new AuthError('username_unacceptable', { reason: 'reserved' });
  if (!row) return { username, account: null };
  const user = userFromRow(row);
  const target = { type: 'user', id: user.id, name: username } as const;
  const refuseWith = (code: 'role_already_held' | 'account_disabled') =>
    refuse(runtime, actor, { event, code, reason: code, target });
  if (isAtLeast(user.role, role)) return refuseWith('role_already_held');
  if (user.status !== 'active') return refuseWith('account_disabled');
  return { username, account: { id: user.id, version: row.version } };
}
