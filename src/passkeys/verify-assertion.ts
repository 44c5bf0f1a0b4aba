import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import type { Configuration } from '../core/config.ts';
import { assertCompleteAuthenticatorData } from './authenticator-data.ts';
import { assertNotCrossOrigin, type ClientData } from './client-data.ts';
import { algorithmOf } from './public-key.ts';
import { CeremonyError } from './refusal.ts';
import { simpleWebAuthn } from './simplewebauthn.ts';

/** The stored passkey that an assertion is verified against. Binary values are base64url. */
export interface StoredCredential {
  credentialId: string;
  publicKey: string;
  counter: number;
  backupEligible: boolean;
  userHandle: string;
}

export interface VerifiedAssertion {
  counter: number;
  backedUp: boolean;
}

/**
 * Verifies an assertion by WebAuthn Level 3, section 7.2. The caller has opened and spent the challenge, and has read the
 * stored credential by the id in the response.
 *
 * @param clientData the decoded client data of the response
 * @param isUsernameless whether the ceremony started without a username, so that only `userHandle` identifies the user
 * @throws CeremonyError with the reason
 */
export async function verifyAssertion(
  response: AuthenticationResponseJSON,
  clientData: ClientData,
  stored: StoredCredential,
  isUsernameless: boolean,
  { rpId, origins }: Pick<Configuration, 'rpId' | 'origins'>,
): Promise<VerifiedAssertion> {
  // Steps 13 and 14.
  assertNotCrossOrigin(clientData);

  // Step 6. The library does not check the user handle.
  const { userHandle } = response.response;
  if (userHandle == null && isUsernameless) throw new CeremonyError('user_handle_missing');
  if (userHandle != null && userHandle !== stored.userHandle) throw new CeremonyError('user_handle_mismatch');

  const { newCounter, credentialBackedUp, credentialDeviceType } = await verifyWithLibrary(
    response,
    `${clientData.challenge}`,
    stored,
    rpId,
    origins,
  );
  assertCompleteAuthenticatorData(Buffer.from(response.response.authenticatorData, 'base64url'));
  assertNoTrailingBytes(Buffer.from(response.response.signature, 'base64url'), stored.publicKey);

  // Step 19: the backup eligibility of a passkey never changes.
  if ((credentialDeviceType === 'multiDevice') !== stored.backupEligible) {
    throw new CeremonyError('backup_eligibility_changed');
  }
  return { counter: newCounter, backedUp: credentialBackedUp };
}

/** The library performs steps 10 to 12, 15 to 18, 20 and 21. */
async function verifyWithLibrary(
  response: AuthenticationResponseJSON,
  expectedChallenge: string,
  stored: StoredCredential,
  rpId: string,
  origins: readonly string[],
) {
  const { verifyAuthenticationResponse } = await simpleWebAuthn();
  const result = await verifyAuthenticationResponse({
    response,
    expectedChallenge,
    expectedOrigin: [...origins],
    expectedRPID: rpId,
    requireUserVerification: true,
    credential: {
      id: stored.credentialId,
      publicKey: Uint8Array.from(Buffer.from(stored.publicKey, 'base64url')),
      // Disables the library's check of step 22. The caller checks the counter, because it reports a suspected clone.
      counter: 0,
    },
  }).catch((error: unknown) => {
    throw new CeremonyError('verification_failed', error);
  });
  if (!result.verified) throw new CeremonyError('verification_failed');
  return result.authenticationInfo;
}

/** An ES256 signature is a DER sequence of under 128 bytes (WebAuthn 6.5.5). The library ignores bytes after it. */
function assertNoTrailingBytes(signature: Buffer, publicKey: string): void {
  if (signature[1] === signature.length - 2) return;
  // The length does not match. Signatures of other algorithms are not in DER, so only ES256 is rejected.
  const isEs256 = algorithmOf(Buffer.from(publicKey, 'base64url')) === -7;
  if (isEs256) throw new CeremonyError('verification_failed');
}
