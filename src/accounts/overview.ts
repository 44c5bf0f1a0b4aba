import type { BootstrapState } from '../bootstrap/bootstrap.ts';
import type { Session } from '../core/session.ts';
import type { PendingRecoveryLink } from '../recovery/recovery.ts';
import type { Membership } from '../roles/principal.ts';
import type { Account } from './account.ts';

/** A superadmin, with the credentials that protect them from being locked out. */
export type SuperadminSummary = Pick<
  Account,
  'username' | 'status' | 'passkeyCount' | 'hasPassword' | 'recoveryCodesRemaining'
>;

/** The counts and superadmins of a service. */
export interface Overview {
  users: number;
  organizations: number;
  pendingInvitations: number;
  bootstrap: BootstrapState;
  /** In the order of usernames, including disabled ones; 100 at most. */
  superadmins: SuperadminSummary[];
}

/** All information about a user that operators can read. */
export interface UserDetails {
  user: Account;
  /** The live recovery link of the account, if any. */
  recoveryLink: PendingRecoveryLink | null;
  /** The live sessions, most recently used first. */
  sessions: Session[];
  memberships: Membership[];
}
