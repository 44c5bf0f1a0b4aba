import type { User } from '../core/user.ts';

/** A user, with the credentials that the account has. */
export interface Account extends User {
  hasPassword: boolean;
  passkeyCount: number;
  recoveryCodesRemaining: number;
}
