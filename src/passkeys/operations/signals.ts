import type { SignedInActor } from '../../core/actor.ts';
import { AuthError } from '../../core/errors.ts';
import type { Runtime } from '../../core/runtime.ts';
import { displayNameOrUsername } from '../options.ts';
import { type AccountPasskeyRow, descriptorsFromRows, selectOfAccount } from '../store.ts';

/** What a page passes on to the signal methods of WebAuthn (5.1.10), member by member. Binary values are base64url. */
export interface PasskeySignals {
  rpId: string;
  /** The user handle. */
  userId: string;
  name: string;
  displayName: string;
  allAcceptedCredentialIds: string[];
}

/**
 * How the account stands, for the authenticators that hold passkeys of it: what they may keep, and what to call it.
 *
 * @throws AuthError `not_authenticated` where the account has just gone
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
