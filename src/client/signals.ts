import { publicKeyCredential, type Standing } from './public-key-credential.ts';
import { expectParts, type Send } from './requests.ts';

/** Has the authenticators forget a passkey that the service has said to know no more. */
export function signalUnknown(rpId: string | undefined, credentialId: string): void {
  if (rpId !== undefined)
    inBackground(async () => publicKeyCredential().signalUnknownCredential?.({ rpId, credentialId }));
}

let asked = 0;

/** Has the authenticators drop what the account has no more, and bring back what it has. */
export function signalAccepted(send: Send): void {
  if (!publicKeyCredential().signalAllAcceptedCredentials) return;
  asked += 1;
  const mine = asked;
  inBackground(async () => {
    const { rpId, userId, allAcceptedCredentialIds } = await readStanding(send);
    // Overtaken by a later change, an older list would bring back what that has removed.
    if (mine === asked)
      await publicKeyCredential().signalAllAcceptedCredentials?.({ rpId, userId, allAcceptedCredentialIds });
  });
}

/** Has the authenticators show the account by its present name. */
export function signalDetails(send: Send): void {
  if (!publicKeyCredential().signalCurrentUserDetails) return;
  inBackground(async () => {
    const { rpId, userId, name, displayName } = await readStanding(send);
    await publicKeyCredential().signalCurrentUserDetails?.({ rpId, userId, name, displayName });
  });
}

const readStanding = async (send: Send) =>
  expectParts<Standing>(
    await send('GET', '/passkey/signals'),
    'rpId',
    'userId',
    'name',
    'displayName',
    'allAcceptedCredentialIds',
  );

/** What has been done stands whether or not a browser is told: nothing waits for this, and nothing fails with it. */
const inBackground = (signal: () => Promise<unknown>): void => void signal().catch(() => {});
