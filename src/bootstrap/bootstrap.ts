import type { RecoveryLink } from '../recovery/recovery.ts';
import type { User } from '../users/user.ts';

/** Who becomes the first superadmin. */
export interface Bootstrap {
  /** As at signup; a reserved name may be used here. */
  username: string;
  /** Absent: the account has no password, and a link to make its first passkey with is returned. */
  password?: string | undefined;
}

export interface Bootstrapped {
  user: User;
  /** Where to make the first passkey, once, within an hour; null where there is a password. */
  link: RecoveryLink | null;
}
