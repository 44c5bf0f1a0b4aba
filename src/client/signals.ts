import { type CredentialState, publicKeyCredential } from './public-key-credential.ts';
import { expectParts, type Send } from './requests.ts';

/** Asks the authenticators to delete a passkey that the service no longer knows. */
export function signalUnknown(rpId: string | undefined, credentialId: string): void {
  if (rpId !== undefined)
    inBackground(async () => publicKeyCredential().signalUnknownCredential?.({ rpId, credentialId }));
}

let latestUpdate = 0;

/** Reports the account's passkeys: the authenticators hide passkeys missing from the list and restore listed ones. */
export function signalAccepted(send: Send): void {
  if (!publicKeyCredential().signalAllAcceptedCredentials) return;
  latestUpdate += 1;
  const thisUpdate = latestUpdate;
  inBackground(async () => {
    const { rpId, userId, allAcceptedCredentialIds } = await readCredentialState(send);
    // An older list that arrives late would restore a passkey that a later change removed.
    if (thisUpdate === latestUpdate)
      await publicKeyCredential().signalAllAcceptedCredentials?.({ rpId, userId, allAcceptedCredentialIds });
  });
}

/** Reports the account's current username and display name. */
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

/** The change is already saved on the server, so callers neither wait for the signal nor fail with it. */
const inBackground = (signal: () => Promise<unknown>): void => void signal().catch(() => {});
