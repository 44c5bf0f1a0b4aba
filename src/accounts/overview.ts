import type { BootstrapState } from '../bootstrap/bootstrap.ts';
import type { Session } from '../core/session.ts';
import type { PendingRecoveryLink } from '../recovery/recovery.ts';
import type { Membership } from '../roles/principal.ts';
import type { Account } from './account.ts';

/** A superadmin, with what decides whether they can be locked out. */
export type SuperadminSummary = Pick<
  Account,
  'username' | 'status' | 'passkeyCount' | 'hasPassword' | 'recoveryCodesRemaining'
>;

/** What there is, at a glance. */
export interface Overview {
  users: number;
  organizations: number;
  pendingInvitations: number;
  bootstrap: BootstrapState;
  /** By username, disabled ones too: a hundred at most. */
  superadmins: SuperadminSummary[];
}

/** Everything an operator may know of a user. */
export interface UserDetails {
  user: Account;
  /** The live recovery link of the account; null: there is none. */
  recoveryLink: PendingRecoveryLink | null;
  /** Live ones, the most recently used first. */
  sessions: Session[];
  memberships: Membership[];
}
