import { type CredentialState, publicKeyCredential } from './public-key-credential.ts';
import { expectParts, type Send } from './requests.ts';

/** Tells the browser that the service does not know a passkey, so that authenticators hide or delete it. */
export function signalUnknown(rpId: string | undefined, credentialId: string): void {
  if (rpId !== undefined)
    inBackground(async () => publicKeyCredential().signalUnknownCredential?.({ rpId, credentialId }));
}

let latestUpdate = 0;

/**
 * Tells the browser which passkeys the account has. Authenticators hide the passkeys that are not in the list. If a
 * hidden passkey is in the list, authenticators show it again.
 */
export function signalAccepted(send: Send): void {
  if (!publicKeyCredential().signalAllAcceptedCredentials) return;
  latestUpdate += 1;
  const thisUpdate = latestUpdate;
  inBackground(async () => {
    const { rpId, userId, allAcceptedCredentialIds } = await readCredentialState(send);
    // If an older list arrives after a newer list, the older list could restore a passkey that the user removed.
    if (thisUpdate === latestUpdate)
      await publicKeyCredential().signalAllAcceptedCredentials?.({ rpId, userId, allAcceptedCredentialIds });
  });
}

/** Tells the browser the account's current username and display name. */
export function signalDetails(send: Send): void {
  if (!publicKeyCredential().signalCurrentUserDetails) return;
  inBackground(async () => {
    const { rpId, userId, name, displayName } = await readCredentialState(send);
    await publicKeyCredential().signalCurrentUserDetails?.({ rpId, userId, name, displayName });
  });
}

const readCredentialState = async (send: Send) =>
  expectParts<CredentialState>(
    await send('GET', '/passkey/signals'),
    'rpId',
    'userId',
    'name',
    'displayName',
    'allAcceptedCredentialIds',
  );

/** Runs without blocking. Ignores a failure, because the call of the app does not depend on the signal. */
const inBackground = (signal: () => Promise<unknown>): void => void signal().catch(() => {});
