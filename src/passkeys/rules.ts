import type { Session } from '../core/session.ts';

/** What the account could still be entered by. Recovery codes are not a way in: they only lead back to one. */
export interface SignInMethods {
  passkeys: number;
  hasPassword: boolean;
}

/** Whether one passkey can go without locking its owner out. */
export const mayRemovePasskey = ({ passkeys, hasPassword }: SignInMethods): boolean => passkeys > 1 || hasPassword;

/**
 * Whether a signature counter shows a passkey that was not copied (WebAuthn 6.1.1): it must grow, unless the
 * authenticator keeps none, which it says with zero each time.
 */
export const counterAdvanced = (stored: number, asserted: number): boolean =>
  asserted > stored || (asserted === 0 && stored === 0);

/**
 * Whether a refused login is told that its passkey is known no more, so that the browser may forget it (WebAuthn
 * 5.1.10): where the account whose user handle it brings, 64 random bytes, has no such passkey. Whether somebody else
 * has it must not count. Everybody knows a handle, their own, and would learn whose credential ids are no decoys.
 *
 * @param holderId the account with that user handle
 * @param ownerId the account with that credential
 */
export const mayRevealUnknown = (holderId: string | null, ownerId: string | null): boolean =>
  holderId !== null && holderId !== ownerId;

/**
 * Whether a passkey may be made without a prompt: in the place of a password that has just been given, and for nothing
 * else. A recovery is completed by somebody who is there.
 */
export const mayUpgrade = ({ kind, method }: Pick<Session, 'kind' | 'method'>): boolean =>
  kind === 'full' && method === 'password';

/** A passkey's label: what its owner wrote, else its provider's name. */
export const labelFor = (given: string | undefined, provider: string | null): string =>
  given ?? provider ?? 'Passkey';
