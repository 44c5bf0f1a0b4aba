import type { ListedSession } from '../core/session.ts';
import type { LastSignIn } from '../core/user-list.ts';
import type { UserOrganization } from '../organizations/organization.ts';
import type { Passkey } from '../passkeys/passkey.ts';
import type { PendingRecoveryLink } from '../recovery/recovery.ts';

/** How a user signs in, where the user is signed in, and what the user belongs to. */
export interface UserRecordDetails {
  hasPassword: boolean;
  recoveryCodesRemaining: number;
  /** Null: no sign-in is known, or the actor cannot see all users. */
  lastSignIn: LastSignIn | null;
  /** Oldest first. If the actor cannot see all users, `lastUsedAt`, `lastUsedIp` and `lastUsedUserAgent` are null. */
  passkeys: Passkey[];
  /** Live sessions, most recently used first. Null: the actor cannot see all users. */
  sessions: ListedSession[] | null;
  /** Sorted by name. */
  organizations: UserOrganization[];
  /** Null: the account has no pending recovery link. */
  recoveryLink: PendingRecoveryLink | null;
}

/** What an admin or a superadmin can do with a user. The names are those of the audit events. */
export const userActionNames = [
  'user.update',
  'user.rename',
  'user.end_sessions',
  'recovery_link.create',
  'impersonation.start',
  'user.change_role',
  'user.disable',
  'user.enable',
  'user.delete',
] as const;

export type UserActionName = (typeof userActionNames)[number];

/** Why the caller cannot do something with a user. */
export const userActionObstacles = [
  'switched_off',
  'role_too_low',
  'oneself',
  'no_plain_user',
  'not_of_their_organizations',
  'role_not_lower',
  'account_disabled',
  'account_active',
  'last_superadmin',
] as const;

export type UserActionObstacle = (typeof userActionObstacles)[number];

/** Whether the caller can do something with a user now. The service checks this again when the caller does it. */
export interface UserActionState {
  name: UserActionName;
  /** Null: the caller can do it. */
  obstacle: UserActionObstacle | null;
}
