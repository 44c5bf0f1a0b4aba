import type { User } from '../core/user.ts';

/** A user, with a summary of the account's credentials. */
export interface Account extends User {
  hasPassword: boolean;
  passkeyCount: number;
  recoveryCodesRemaining: number;
}
