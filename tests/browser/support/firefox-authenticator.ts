import type { Marionette } from './marionette.ts';

/**
 * A virtual authenticator of Firefox. Firefox asks its authenticators one after the other in random order, so tests use
 * one at a time.
 */
export interface FirefoxAuthenticator {
  /** Sets whether the authenticator can verify the user, as with a fingerprint, a face or a PIN. */
  setUserVerified(isUserVerified: boolean): Promise<void>;
  credentials(): Promise<{ credentialId: string; isResidentCredential: boolean; rpId: string }[]>;
  /** Removes the authenticator with all its passkeys. */
  remove(): Promise<void>;
}

export async function addFirefoxAuthenticator(
  { send }: Marionette,
  transport: 'internal' | 'usb',
): Promise<FirefoxAuthenticator> {
  const { value: authenticatorId } = await send<{ value: string }>('WebAuthn:AddVirtualAuthenticator', {
    protocol: 'ctap2_1',
    transport,
    hasResidentKey: true,
    hasUserVerification: true,
    isUserConsenting: true,
    isUserVerified: true,
  });
  return {
    setUserVerified: async (isUserVerified) => {
      await send('WebAuthn:SetUserVerified', { authenticatorId, isUserVerified });
    },
    credentials: async () =>
      (
        await send<{ value: { credentialId: string; isResidentCredential: boolean; rpId: string }[] }>(
          'WebAuthn:GetCredentials',
          { authenticatorId },
        )
      ).value,
    remove: async () => {
      await send('WebAuthn:RemoveVirtualAuthenticator', { authenticatorId });
    },
  };
}
