import type { User } from '../core/user.ts';
import type { RecoveryLink } from '../recovery/recovery.ts';

/** The account of the first superadmin. */
export interface BootstrapOptions {
  /** As for sign-up, but reserved names are allowed. */
  username: string;
  /** If absent, the account has no password, and the result contains a link to create the first passkey. */
  password?: string | undefined;
  /**
   * Creates another superadmin after an earlier bootstrap. Allowed only if no active superadmin is left, which happens
   * only if the database was changed from outside the service.
   */
  again?: boolean | undefined;
}

/**
 * Whether the first superadmin can be created:
 *
 * - `open`: no superadmin has been created yet.
 * - `unfinished`: a superadmin has been created, but the account has no credential yet. It can be created anew.
 * - `done`: the first superadmin has been created.
 */
export type BootstrapState = 'open' | 'unfinished' | 'done';

export interface BootstrapResult {
  user: User;
  /** A single-use link to create the first passkey, valid for one hour. Null if a password was given. */
  link: RecoveryLink | null;
}
