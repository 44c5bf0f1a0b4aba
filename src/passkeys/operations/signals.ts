import type { SignedInActor } from '../../core/actor.ts';
import { AuthError } from '../../core/errors.ts';
import type { Runtime } from '../../core/runtime.ts';
import { displayNameOrUsername } from '../options.ts';
import { type AccountPasskeyRow, descriptorsFromRows, selectOfAccount } from '../store.ts';

/** The arguments of the WebAuthn signal methods (5.1.10). Binary values are base64url. */
export interface PasskeySignals {
  rpId: string;
  /** The user handle. */
  userId: string;
  name: string;
  displayName: string;
  allAcceptedCredentialIds: string[];
}

/**
 * Reads the account's names and credential ids, so that authenticators can update or hide their passkeys.
 *
 * @throws AuthError `not_authenticated` if the account no longer exists
 */
export async function readSignals(runtime: Runtime, { user }: SignedInActor): Promise<PasskeySignals> {
  const rows = await runtime.db.query<AccountPasskeyRow>(selectOfAccount(user.id));
  const [account] = rows;
  if (!account) throw new AuthError('not_authenticated');
  return {
    rpId: runtime.config.rpId,
    userId: account.user_handle,
    name: user.username,
    displayName: displayNameOrUsername(user),
    allAcceptedCredentialIds: descriptorsFromRows(rows).map(({ id }) => id),
  };
}
