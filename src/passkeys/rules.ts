/** What the account could still be entered by. Recovery codes are not a way in: they only lead back to one. */
export interface WaysIn {
  passkeys: number;
  hasPassword: boolean;
}

/** Whether one passkey can go without locking its owner out. */
export const mayRemovePasskey = ({ passkeys, hasPassword }: WaysIn): boolean => passkeys > 1 || hasPassword;

/**
 * Whether a signature counter shows a passkey that was not copied (WebAuthn 6.1.1): it must grow, unless the
 * authenticator keeps none, which it says with zero each time.
 */
export const counterAdvanced = (stored: number, asserted: number): boolean =>
  asserted > stored || (asserted === 0 && stored === 0);

/** A passkey's label: what its owner wrote, else its provider's name. */
export const labelFor = (given: string | undefined, provider: string | null): string =>
  given ?? provider ?? 'Passkey';
