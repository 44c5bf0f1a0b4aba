import type { User } from '../core/user.ts';

/** One's own account, with what decides how safe it is. */
export interface Account extends User {
  hasPassword: boolean;
  passkeyCount: number;
  recoveryCodesRemaining: number;
}
