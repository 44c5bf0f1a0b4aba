import type { Session } from '../core/session.ts';

/** The sign-in methods of an account. Recovery codes do not count, because they only open a recovery session. */
export interface SignInMethods {
  passkeys: number;
  hasPassword: boolean;
}

/** Whether one passkey can be removed: only if another sign-in method remains. */
export const mayRemovePasskey = ({ passkeys, hasPassword }: SignInMethods): boolean =>
  passkeys > 1 || hasPassword;

/**
 * Whether a signature counter is valid (WebAuthn 6.1.1; 7.2 step 22). If a counter does not increase, the passkey was
 * probably cloned. If an authenticator has no counter, both values are zero, which is also valid.
 */
export const counterAdvanced = (stored: number, asserted: number): boolean =>
  asserted > stored || (asserted === 0 && stored === 0);

/**
 * Whether the response to a failed sign-in may say that the passkey is unknown, so that the browser can delete the
 * passkey (WebAuthn 5.1.10). True if the user handle of the request belongs to an account that does not have the
 * passkey. A caller cannot guess a user handle of the service, because it contains 64 random bytes. A shorter user
 * handle was imported. It can be the id of the user in another system, so callers could guess it.
 *
 * The result must not depend on whether another account has the passkey. Otherwise attackers could send their own user
 * handle to find out whether a credential id is a decoy.
 *
 * @param holderId the account with the user handle of the request
 * @param ownerId the account with the credential of the request
 * @param userHandle the user handle of the request
 */
export const mayRevealUnknown = (
  holderId: string | null,
  ownerId: string | null,
  userHandle: string | null | undefined,
): boolean => holderId !== null && holderId !== ownerId && (userHandle?.length ?? 0) >= ownHandleCharacters;

/** 64 bytes as base64url. */
const ownHandleCharacters = 86;

/**
 * Whether a session may add a passkey without a prompt: only a full session whose user last authenticated with a
 * password.
 */
export const mayUpgrade = ({ kind, method }: Pick<Session, 'kind' | 'method'>): boolean =>
  kind === 'full' && method === 'password';

export const labelFor = (given: string | undefined, provider: string | null): string =>
  given ?? provider ?? 'Passkey';
