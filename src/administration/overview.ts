import type { Account } from '../account/account.ts';
import type { BootstrapState } from '../bootstrap/bootstrap.ts';
import type { Membership } from '../roles/principal.ts';
import type { Session } from '../sessions/session.ts';

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

/** One person, all that an operator may know. */
export interface PersonDetails {
  user: Account;
  /** Live ones, the most recently used first. */
  sessions: Session[];
  memberships: Membership[];
}
