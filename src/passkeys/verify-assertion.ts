import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import type { Configuration } from '../core/config.ts';
import { assertCompleteAuthenticatorData } from './authenticator-data.ts';
import { isUserHandle } from './base64url.ts';
import { assertNotCrossOrigin, type ClientData } from './client-data.ts';
import { explainFailure } from './explain-failure.ts';
import { algorithmOf } from './public-key.ts';
import { CeremonyError } from './refusal.ts';
import { simpleWebAuthn } from './simplewebauthn.ts';

/** The stored passkey that an assertion is verified against. Binary values are base64url. */
export interface StoredCredential {
  credentialId: string;
  publicKey: string;
  counter: number;
  /** Null: unknown, because the passkey was imported and not used yet. */
  backupEligible: boolean | null;
  /** Null: unknown, as for `backupEligible`. */
  userHandle: string | null;
}

export interface VerifiedAssertion {
  counter: number;
  backedUp: boolean;
  backupEligible: boolean;
  /** The user handle of the response, if the stored one is unknown. Null: nothing to store. */
  learnedUserHandle: string | null;
}

/**
 * Verifies an assertion (WebAuthn Level 3, section 7.2). Before this, the operation must decrypt the challenge
 * (`openCeremony`), spend it, and find `stored` by the credential id in the response. If no passkey has this id,
 * `stored` is a decoy.
 *
 * @param clientData the decoded client data of the response
 * @param isUsernameless whether the ceremony was started without a username; then the response must have a `userHandle`
 * @throws CeremonyError with the reason
 */
export async function verifyAssertion(
  response: AuthenticationResponseJSON,
  clientData: ClientData,
  stored: StoredCredential,
  isUsernameless: boolean,
  { rpId, origins, appOrigins }: Pick<Configuration, 'rpId' | 'origins' | 'appOrigins'>,
): Promise<VerifiedAssertion> {
  // Steps 13 and 14.
  assertNotCrossOrigin(clientData);

  // Step 6. SimpleWebAuthn does not check the user handle.
  const userHandle = response.response.userHandle ?? null;
  const isUnknown = stored.userHandle === null;
  if (userHandle === null && isUsernameless) throw new CeremonyError('user_handle_missing');
  if (userHandle !== null && !(isUnknown ? isUserHandle(userHandle) : userHandle === stored.userHandle))
    throw new CeremonyError('user_handle_mismatch');

  const { newCounter, credentialBackedUp, credentialDeviceType } = await verifyWithLibrary(
    response,
    clientData,
    stored,
    rpId,
    [...origins, ...appOrigins],
  );
  assertCompleteAuthenticatorData(Buffer.from(response.response.authenticatorData, 'base64url'));
  assertNoTrailingBytes(Buffer.from(response.response.signature, 'base64url'), stored.publicKey);

  // Step 19: the backup eligibility of a passkey never changes.
  const backupEligible = credentialDeviceType === 'multiDevice';
  if (backupEligible !== (stored.backupEligible ?? backupEligible)) {
    throw new CeremonyError('backup_eligibility_changed');
  }
  return {
    counter: newCounter,
    backedUp: credentialBackedUp,
    backupEligible,
    learnedUserHandle: isUnknown ? userHandle : null,
  };
}

/** SimpleWebAuthn performs steps 10 to 12, 15 to 18, 20 and 21. */
async function verifyWithLibrary(
  response: AuthenticationResponseJSON,
  clientData: ClientData,
  stored: StoredCredential,
  rpId: string,
  origins: string[],
) {
  const { verifyAuthenticationResponse } = await simpleWebAuthn();
  const result = await verifyAuthenticationResponse({
    response,
    expectedChallenge: `${clientData.challenge}`,
    expectedOrigin: origins,
    expectedRPID: rpId,
    requireUserVerification: true,
    credential: {
      id: stored.credentialId,
      publicKey: Uint8Array.from(Buffer.from(stored.publicKey, 'base64url')),
      // Zero disables the check of SimpleWebAuthn for step 22. `verifyAuthenticationCeremony` checks the counter
      // instead, because it records a suspected clone in the audit log.
      counter: 0,
    },
  }).catch((error: unknown) => {
    const authenticatorData = Buffer.from(response.response.authenticatorData, 'base64url');
    const expected = { type: 'webauthn.get', rpId, origins, requiresUser: true };
    throw new CeremonyError(explainFailure(clientData, authenticatorData, expected), error);
  });
  if (!result.verified) throw new CeremonyError('signature_invalid');
  return result.authenticationInfo;
}

/**
 * Rejects an ES256 signature with extra bytes at its end, because SimpleWebAuthn ignores extra bytes. An ES256
 * signature is a DER sequence of fewer than 128 bytes (WebAuthn 6.5.5), so its second byte is the length of the rest.
 */
function assertNoTrailingBytes(signature: Buffer, publicKey: string): void {
  if (signature[1] === signature.length - 2) return;
  // This check is only for ES256. The signatures of the other algorithms are not DER sequences.
  const isEs256 = algorithmOf(Buffer.from(publicKey, 'base64url')) === -7;
  if (isEs256) throw new CeremonyError('signature_invalid');
}
