import { decodePartialCBOR } from '@levischuck/tiny-cbor';
import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import type { Configuration } from '../core/config.ts';
import { assertCompleteAuthenticatorData } from './authenticator-data.ts';
import { type ClientData, challengeOfOwnPage } from './client-data.ts';
import { algorithmOf, assertAcceptableKey, offeredAlgorithms } from './public-key.ts';
import { CeremonyError } from './refusal.ts';
import { simpleWebAuthn } from './simplewebauthn.ts';

/** What is worth keeping of a registration that holds. Binary values are base64url. */
export interface VerifiedRegistration {
  credentialId: string;
  publicKey: string;
  counter: number;
  aaguid: string;
  transports: string[];
  backupEligible: boolean;
  backedUp: boolean;
}

type RelyingParty = Pick<Configuration, 'rpId' | 'origins'>;

// WebAuthn 7.1 step 25: longer ones are to be refused.
const longestCredentialId = 1023;

/**
 * Verifies a registration response (WebAuthn 7.1) whose challenge was found to be ours and has been spent.
 *
 * @param clientData the response's own, decoded
 * @param isAttended whether somebody had to be there; where the challenge is of a ceremony with conditional mediation
 *   nobody need have been (7.1 step 15), which takes nothing from any other rule
 * @throws CeremonyError with the reason
 */
export async function verifyRegistration(
  response: RegistrationResponseJSON,
  clientData: ClientData,
  { rpId, origins }: RelyingParty,
  isAttended: boolean,
): Promise<VerifiedRegistration> {
  const challenge = challengeOfOwnPage(clientData);
  const attestation = readAttestation(response.response.attestationObject);
  const registration = await verifyWithLibrary(response, challenge, rpId, origins, isAttended);
  const { credential, aaguid, credentialBackedUp, credentialDeviceType } = registration;
  assertCompleteAuthenticatorData(attestation.authData);
  // 8.2: a passkey that attests itself states its own algorithm; the library takes any that fits the signature.
  if (attestation.alg !== null && attestation.alg !== algorithmOf(credential.publicKey)) {
    throw new CeremonyError('attestation_malformed');
  }

  // The id that is stored is the authenticator's; one that the outer response claims for itself must be the same.
  if (response.id !== credential.id) throw new CeremonyError('credential_id_mismatch');
  const idBytes = Buffer.byteLength(credential.id, 'base64url');
  if (idBytes === 0 || idBytes > longestCredentialId) throw new CeremonyError('credential_id_too_long');
  await assertAcceptableKey(credential.publicKey);

  return {
    credentialId: credential.id,
    publicKey: Buffer.from(credential.publicKey).toString('base64url'),
    counter: credential.counter,
    aaguid,
    transports: [...new Set(credential.transports ?? [])],
    backupEligible: credentialDeviceType === 'multiDevice',
    backedUp: credentialBackedUp,
  };
}

async function verifyWithLibrary(
  response: RegistrationResponseJSON,
  expectedChallenge: string,
  rpId: string,
  origins: readonly string[],
  isAttended: boolean,
) {
  const { verifyRegistrationResponse } = await simpleWebAuthn();
  const result = await verifyRegistrationResponse({
    response,
    expectedChallenge,
    expectedOrigin: [...origins],
    expectedRPID: rpId,
    requireUserPresence: isAttended,
    requireUserVerification: isAttended,
    supportedAlgorithmIDs: offeredAlgorithms,
  }).catch((error: unknown) => {
    throw new CeremonyError('verification_failed', error);
  });
  if (!result.verified) throw new CeremonyError('verification_failed');
  return result.registrationInfo;
}

/**
 * Attestation is not asked for, so a browser sends `none`, or `packed` signed by the passkey itself (7.1 step 21).
 * Certificates would make the library fetch a revocation list from an address that the sender chose.
 * The library also ignores what follows the attestation object, and takes anything empty for a statement.
 *
 * @returns the authenticator data, and the algorithm that a self attestation states
 */
function readAttestation(attestationObject: string): { authData: unknown; alg: unknown } {
  const bytes = Buffer.from(attestationObject, 'base64url');
  const [decoded, length] = decode(bytes);
  const statement: unknown = decoded instanceof Map ? decoded.get('attStmt') : undefined;
  if (!(decoded instanceof Map) || !(statement instanceof Map) || length !== bytes.length)
    throw new CeremonyError('attestation_malformed');
  const selfSigned = decoded.get('fmt') === 'packed' && !statement.has('x5c');
  if (decoded.get('fmt') !== 'none' && !selfSigned) throw new CeremonyError('attestation_not_asked_for');
  return { authData: decoded.get('authData'), alg: selfSigned ? statement.get('alg') : null };
}

function decode(bytes: Uint8Array): [value: unknown, length: number] {
  try {
    return decodePartialCBOR(Uint8Array.from(bytes), 0);
  } catch (error) {
    throw new CeremonyError('attestation_malformed', error);
  }
}
