import type { BootstrapState } from '../bootstrap/bootstrap.ts';
import type { ListedSession } from '../core/session.ts';
import type { FieldValues, NoFields, UserFields } from '../core/user-fields.ts';
import type { LastSignIn } from '../core/user-list.ts';
import type { Passkey } from '../passkeys/passkey.ts';
import type { PendingRecoveryLink } from '../recovery/recovery.ts';
import type { Membership } from '../roles/principal.ts';
import type { Account } from './account.ts';

/** A superadmin, with a summary of the account's credentials. */
export type SuperadminSummary = Pick<
  Account,
  'username' | 'status' | 'passkeyCount' | 'hasPassword' | 'recoveryCodesRemaining'
>;

/** Counts of users, organizations and pending invitations, and the list of superadmins. */
export interface Overview {
  users: number;
  organizations: number;
  /** Admin invitations. Invitations to organizations are not counted. */
  pendingInvitations: number;
  bootstrap: BootstrapState;
  /** The username of the superadmin whose bootstrap is `unfinished`. Null in the other states. */
  unfinishedSuperadmin: string | null;
  /** Active and disabled superadmins, sorted by username. At most 100. */
  superadmins: SuperadminSummary[];
}

/** Everything that operators can see about a user. */
export interface UserDetails<Fields extends UserFields = NoFields> {
  /** Includes all own fields (`userFields`). */
  user: [keyof Fields] extends [never] ? Account : Account & { readonly fields: FieldValues<Fields> };
  /** Why the user is disabled. Null: no reason was given, or the user is active. */
  disabledReason: string | null;
  /** Null: no sign-in is known. */
  lastSignIn: LastSignIn | null;
  /** Null: the account has no pending recovery link. */
  recoveryLink: PendingRecoveryLink | null;
  /** The passkeys of the user, oldest first. */
  passkeys: Omit<Passkey, 'current'>[];
  /** Live sessions, most recently used first. */
  sessions: ListedSession[];
  memberships: Membership[];
}
