import type { Role } from '../core/user.ts';

/** A passkey that the policy excludes. */
export interface ExcludedPasskey {
  id: string;
  label: string;
  /** The name of the model. Null: unknown. */
  provider: string | null;
  aaguid: string;
  /** Why it is excluded, such as `not_attested`. */
  reason: string;
}

/** A user with passkeys that the policy excludes. */
export interface UserWithExcludedPasskeys {
  id: string;
  username: string;
  role: Role;
  excluded: ExcludedPasskey[];
  /** The number of passkeys of the user that the policy allows. */
  allowed: number;
  /** Whether all passkeys are excluded and the user has no password. With `checkSignIns`, such a user cannot sign in. */
  isShutOut: boolean;
}

/** Which passkeys the option `authenticators` excludes. */
export interface AuthenticatorReport {
  /** Superadmins first, then admins. At most 1,000 users. */
  users: UserWithExcludedPasskeys[];
  /** The number of users with excluded passkeys, including those that `users` does not contain. */
  total: number;
  /** The number of users that `checkSignIns` shuts out. */
  shutOut: number;
  /** Whether the service already checks sign-ins. */
  checkSignIns: boolean;
}
