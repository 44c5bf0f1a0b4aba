import { decodePartialCBOR } from '@levischuck/tiny-cbor';
import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import type { Configuration } from '../core/config.ts';
import { assertCompleteAuthenticatorData } from './authenticator-data.ts';
import { assertNotCrossOrigin, type ClientData } from './client-data.ts';
import { explainFailure } from './explain-failure.ts';
import { algorithmOf, assertAcceptableKey, offeredAlgorithms } from './public-key.ts';
import { CeremonyError } from './refusal.ts';
import { simpleWebAuthn } from './simplewebauthn.ts';

/** The credential record of a verified registration (WebAuthn 7.1 step 27). Binary values are base64url. */
export interface VerifiedRegistration {
  credentialId: string;
  publicKey: string;
  counter: number;
  aaguid: string;
  transports: string[];
  backupEligible: boolean;
  backedUp: boolean;
}

type RelyingParty = Pick<Configuration, 'rpId' | 'origins' | 'appOrigins'>;

const maxCredentialIdBytes = 1023;

/**
 * Verifies a registration (WebAuthn Level 3, section 7.1). Before this, the operation must decrypt the challenge
 * (`openCeremony`) and spend it.
 *
 * @param clientData the decoded client data of the response
 * @param requiresUser whether user presence and user verification are required (steps 15 and 16); false only for
 *   conditional mediation
 * @throws CeremonyError with the reason
 */
export async function verifyRegistration(
  response: RegistrationResponseJSON,
  clientData: ClientData,
  { rpId, origins, appOrigins }: RelyingParty,
  requiresUser: boolean,
): Promise<VerifiedRegistration> {
  // Steps 10 and 11.
  assertNotCrossOrigin(clientData);
  const attestation = readAttestation(response.response.attestationObject);
  const registration = await verifyWithLibrary(
    response,
    clientData,
    attestation.authData,
    rpId,
    [...origins, ...appOrigins],
    requiresUser,
  );
  const { credential, aaguid, credentialBackedUp, credentialDeviceType } = registration;
  assertCompleteAuthenticatorData(attestation.authData);
  // Step 22 with section 8.2: a self attestation must have the same algorithm as the credential's key. SimpleWebAuthn
  // does not check this.
  if (attestation.alg !== null && attestation.alg !== algorithmOf(credential.publicKey)) {
    throw new CeremonyError('attestation_malformed');
  }

  // The stored id comes from the authenticator data. The response contains the id again. Both ids must be the same.
  if (response.id !== credential.id) throw new CeremonyError('credential_id_mismatch');
  // Step 25.
  const idBytes = Buffer.byteLength(credential.id, 'base64url');
  if (idBytes === 0 || idBytes > maxCredentialIdBytes) throw new CeremonyError('credential_id_too_long');
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

/** SimpleWebAuthn performs steps 7 to 9, 12 to 17 and 20 to 22. */
async function verifyWithLibrary(
  response: RegistrationResponseJSON,
  clientData: ClientData,
  authData: unknown,
  rpId: string,
  origins: string[],
  requiresUser: boolean,
) {
  const { verifyRegistrationResponse } = await simpleWebAuthn();
  const result = await verifyRegistrationResponse({
    response,
    expectedChallenge: `${clientData.challenge}`,
    expectedOrigin: origins,
    expectedRPID: rpId,
    requireUserPresence: requiresUser,
    requireUserVerification: requiresUser,
    supportedAlgorithmIDs: offeredAlgorithms,
  }).catch((error: unknown) => {
    const expected = { type: 'webauthn.create', rpId, origins, requiresUser };
    throw new CeremonyError(explainFailure(clientData, authData, expected), error);
  });
  if (!result.verified) throw new CeremonyError('signature_invalid');
  return result.registrationInfo;
}

/**
 * Steps 13, 21 and 24: accepts only the attestation format `none`, and the format `packed` with self attestation.
 * Browsers send no other format, because the service requests no attestation.
 *
 * Certificates must not reach SimpleWebAuthn, because it would fetch a revocation list from a URL that the caller
 * chooses. SimpleWebAuthn also ignores bytes after the attestation object, and accepts any empty value as an
 * attestation statement.
 *
 * @returns the authenticator data, and the algorithm in a self attestation
 */
function readAttestation(attestationObject: string): { authData: unknown; alg: unknown } {
  const bytes = Buffer.from(attestationObject, 'base64url');
  const [decoded, length] = decode(bytes);
  const statement: unknown = decoded instanceof Map ? decoded.get('attStmt') : undefined;
  if (!(decoded instanceof Map) || !(statement instanceof Map) || length !== bytes.length)
    throw new CeremonyError('attestation_malformed');
  const isSelfAttestation = decoded.get('fmt') === 'packed' && !statement.has('x5c');
  if (decoded.get('fmt') !== 'none' && !isSelfAttestation)
    throw new CeremonyError('attestation_not_asked_for');
  return { authData: decoded.get('authData'), alg: isSelfAttestation ? statement.get('alg') : null };
}

function decode(bytes: Uint8Array): [value: unknown, length: number] {
  try {
    return decodePartialCBOR(Uint8Array.from(bytes), 0);
  } catch (error) {
    throw new CeremonyError('attestation_malformed', error);
  }
}
