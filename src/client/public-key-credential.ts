/** How an account stands, in the words of the signal methods. Binary values are base64url. */
export interface Standing {
  rpId: string;
  userId: string;
  name: string;
  displayName: string;
  allAcceptedCredentialIds: string[];
}

/** Methods of PublicKeyCredential that a browser may lack (WebAuthn 5.1.7 and 5.1.10), and TypeScript's library too. */
interface RecentMethods {
  getClientCapabilities(): Promise<Record<string, boolean>>;
  signalUnknownCredential(unknown: { rpId: string; credentialId: string }): Promise<void>;
  signalAllAcceptedCredentials(
    accepted: Pick<Standing, 'rpId' | 'userId' | 'allAcceptedCredentialIds'>,
  ): Promise<void>;
  signalCurrentUserDetails(
    details: Pick<Standing, 'rpId' | 'userId' | 'name' | 'displayName'>,
  ): Promise<void>;
}

export const publicKeyCredential = (): Partial<RecentMethods> =>
  (globalThis as { PublicKeyCredential?: Partial<RecentMethods> }).PublicKeyCredential ?? {};
