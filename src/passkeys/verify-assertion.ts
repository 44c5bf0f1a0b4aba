import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import type { Configuration } from '../core/config.ts';
import { assertCompleteAuthenticatorData } from './authenticator-data.ts';
import { type ClientData, challengeOfOwnPage } from './client-data.ts';
import { algorithmOf } from './public-key.ts';
import { CeremonyError } from './refusal.ts';
import { simpleWebAuthn } from './simplewebauthn.ts';

/** The stored half of an assertion. Binary values are base64url. */
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
 * Verifies an assertion (WebAuthn 7.2) whose challenge was found to be ours and has been spent, against the
 * credential with the id that the response names.
 *
 * @param clientData the response's own, decoded
 * @param usernameless whether no user was named at the start, so that only `userHandle` says who it is
 * @throws CeremonyError with the reason
 */
export async function verifyAssertion(
  response: AuthenticationResponseJSON,
  clientData: ClientData,
  stored: StoredCredential,
  usernameless: boolean,
  { rpId, origins }: Pick<Configuration, 'rpId' | 'origins'>,
): Promise<VerifiedAssertion> {
  const challenge = challengeOfOwnPage(clientData);

  // 7.2 step 6: the library does not look at the user handle.
  const { userHandle } = response.response;
  if (userHandle == null && usernameless) throw new CeremonyError('user_handle_missing');
  if (userHandle != null && userHandle !== stored.userHandle)
    throw new CeremonyError('user_handle_mismatch');

  const { newCounter, credentialBackedUp, credentialDeviceType } = await verifyWithLibrary(
    response,
    challenge,
    stored,
    rpId,
    origins,
  );
  assertCompleteAuthenticatorData(Buffer.from(response.response.authenticatorData, 'base64url'));
  assertNoTrailingBytes(Buffer.from(response.response.signature, 'base64url'), stored.publicKey);

  // 7.2 step 18: a passkey is made syncable or not, once and for all.
  if ((credentialDeviceType === 'multiDevice') !== stored.backupEligible) {
    throw new CeremonyError('backup_eligibility_changed');
  }
  return { counter: newCounter, backedUp: credentialBackedUp };
}

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
      // The counter is our own rule's to judge: a suspected clone is not just any failure.
      counter: 0,
    },
  }).catch((error: unknown) => {
    throw new CeremonyError('verification_failed', error);
  });
  if (!result.verified) throw new CeremonyError('verification_failed');
  return result.authenticationInfo;
}

/** 6.5.5: an ES256 signature is one DER sequence, of under 128 bytes; the library ignores what follows it. */
function assertNoTrailingBytes(signature: Buffer, publicKey: string): void {
  if (signature[1] === signature.length - 2) return;
  // Something follows the sequence, or the key is of another algorithm, whose signatures are no DER.
  const isEs256 = algorithmOf(Buffer.from(publicKey, 'base64url')) === -7;
  if (isEs256) throw new CeremonyError('verification_failed');
}
