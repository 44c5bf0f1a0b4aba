import type { User } from '../core/user.ts';
import type { RecoveryLink } from '../recovery/recovery.ts';

/** Who becomes the first superadmin. */
export interface Bootstrap {
  /** As at signup; a reserved name may be used here. */
  username: string;
  /** Absent: the account has no password, and a link to make its first passkey with is returned. */
  password?: string | undefined;
  /**
   * Makes one although there has been one: for when no active superadmin is left, which only a change behind the
   * service's back can bring about. Refused while there is one.
   */
  again?: boolean | undefined;
}

/**
 * Whether the first superadmin can be made: `open`, there has been none; `unfinished`, nobody has been in their account
 * yet; `done`.
 */
export type BootstrapState = 'open' | 'unfinished' | 'done';

export interface Bootstrapped {
  user: User;
  /** Where to make the first passkey, once, within an hour; null where there is a password. */
  link: RecoveryLink | null;
}
