import type { ImportedCredential } from '../passkeys/imported-credential.ts';
import type { ImportedAccount } from '../users/imported-account.ts';
import type { ImportRefusalReason } from './imported-user.ts';

/** Why a user of another system cannot get an account. */
export interface Obstacle {
  reason: ImportRefusalReason;
  /** Dotted path to the value. Empty: the record as a whole. */
  path: string;
  message: string;
}

/** A user of another system whose values are all allowed. Another account can still have the same name or passkey. */
export interface Candidate {
  account: ImportedAccount & { skeleton: string };
  passkeys: ImportedCredential[];
  sourceId: string;
}

/** A user of another system whose account can be stored. */
export interface AcceptedUser extends Omit<Candidate, 'account'> {
  account: ImportedAccount;
}

/** The user handles of the account and of its passkeys. */
export const userHandlesOf = ({ account, passkeys }: Candidate): string[] => [
  ...new Set([account.user_handle, ...passkeys.flatMap(({ user_handle }) => user_handle ?? [])]),
];
