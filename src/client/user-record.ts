import type { NoServiceTypes, OwnFieldDefinitions, WithFieldsOfUser } from './own-fields.ts';
import type { ListedSession, ManagedUser, Passkey, PendingRecoveryLink, UserOrganization } from './types.ts';
import type { LastSignIn } from './user-list.ts';

/** How a user signs in, where the user is signed in, and what the user belongs to. */
export interface UserRecordDetails {
  hasPassword: boolean;
  recoveryCodesRemaining: number;
  /** Null: no sign-in is known, or the caller cannot see all users. */
  lastSignIn: LastSignIn | null;
  /** Oldest first. If the caller cannot see all users, `lastUsedAt`, `lastUsedIp` and `lastUsedUserAgent` are null. */
  passkeys: Passkey[];
  /** Live sessions, most recently used first. Null: the caller cannot see all users. */
  sessions: ListedSession[] | null;
  /** Sorted by name. */
  organizations: UserOrganization[];
  /** Null: the account has no pending recovery link. */
  recoveryLink: PendingRecoveryLink | null;
}

/** What an admin or a superadmin can do with a user. The names are those of the audit events. */
export type UserActionName =
  | 'user.update'
  | 'user.rename'
  | 'user.end_sessions'
  | 'recovery_link.create'
  | 'impersonation.start'
  | 'user.change_role'
  | 'user.disable'
  | 'user.enable'
  | 'user.delete';

/** Why the caller cannot do something with a user. `switched_off`: the service does not offer it. */
export type UserActionObstacle =
  | 'switched_off'
  | 'role_too_low'
  | 'oneself'
  | 'no_plain_user'
  | 'not_of_their_organizations'
  | 'role_not_lower'
  | 'account_disabled'
  | 'account_active'
  | 'last_superadmin';

/** Whether the caller can do something with a user now. The service checks this again when the caller does it. */
export interface UserActionState {
  name: UserActionName;
  /** Null: the caller can do it. */
  obstacle: UserActionObstacle | null;
}

/** What an admin or a superadmin reads about a user. */
export interface UserRecord<Fields extends OwnFieldDefinitions = NoServiceTypes['userFields']> {
  user: WithFieldsOfUser<ManagedUser, Fields>;
  /**
   * Null: the caller cannot read them. An admin can read them only for users for whom the admin can create recovery
   * links.
   */
  details: UserRecordDetails | null;
  actions: UserActionState[];
}
