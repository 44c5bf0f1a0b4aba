import type { User } from '../core/user.ts';

/** A user's own account, with its credentials. */
export interface Account extends User {
  hasPassword: boolean;
  passkeyCount: number;
  recoveryCodesRemaining: number;
}
