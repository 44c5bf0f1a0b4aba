import type { User } from '../core/user.ts';
import type { RecoveryLink } from '../recovery/recovery.ts';

/** The account of the first superadmin. */
export interface BootstrapOptions {
  /** The rules for sign-up apply, but reserved names are allowed. */
  username: string;
  /** If absent, the account has no password, and the result contains a link to add the first passkey. */
  password?: string | undefined;
  /**
   * Creates another superadmin after an earlier bootstrap. Allowed only if no active superadmin is left. Only a
   * direct change in the database can cause this.
   */
  again?: boolean | undefined;
}

/**
 * Whether the first superadmin can be created:
 *
 * - `open`: No superadmin has been created yet.
 * - `unfinished`: The first superadmin has no password and no passkey yet. Another bootstrap resets the account.
 * - `done`: The bootstrap is complete. Only the option `again` allows another one.
 */
export type BootstrapState = 'open' | 'unfinished' | 'done';

export interface BootstrapResult {
  user: User;
  /** A single-use link to add the first passkey, valid for one hour. Null if a password was given. */
  link: RecoveryLink | null;
}
