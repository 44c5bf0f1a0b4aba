/** The arguments of the signal methods (WebAuthn 5.1.10). Binary values are base64url. */
export interface CredentialState {
  rpId: string;
  userId: string;
  name: string;
  displayName: string;
  allAcceptedCredentialIds: string[];
}

/**
 * Methods of PublicKeyCredential that not every browser has (WebAuthn 5.1.7 and 5.1.10). TypeScript's DOM types do not
 * declare them.
 */
interface RecentMethods {
  getClientCapabilities(): Promise<Record<string, boolean>>;
  signalUnknownCredential(unknown: { rpId: string; credentialId: string }): Promise<void>;
  signalAllAcceptedCredentials(
    accepted: Pick<CredentialState, 'rpId' | 'userId' | 'allAcceptedCredentialIds'>,
  ): Promise<void>;
  signalCurrentUserDetails(
    details: Pick<CredentialState, 'rpId' | 'userId' | 'name' | 'displayName'>,
  ): Promise<void>;
}

export const publicKeyCredential = (): Partial<RecentMethods> =>
  (globalThis as { PublicKeyCredential?: Partial<RecentMethods> }).PublicKeyCredential ?? {};
