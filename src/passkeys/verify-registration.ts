import { type CBORType, decodePartialCBOR, encodeCBOR } from '@levischuck/tiny-cbor';
import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import { AttestationError } from '../attestation/attestation-error.ts';
import { withTrust } from '../attestation/library.ts';
import {
  type Attestation,
  type AttestationStatement,
  proveModel,
  type TrustedAttestation,
} from '../attestation/prove-model.ts';
import type { Runtime } from '../core/runtime.ts';
import { aaguidIn, assertCompleteAuthenticatorData } from './authenticator-data.ts';
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
  /** Null: the service requested no attestation. */
  attestation: Attestation | null;
}

const maxCredentialIdBytes = 1023;

/**
 * Verifies a registration (WebAuthn Level 3, section 7.1). Before this, the operation must decrypt the challenge
 * (`openCeremony`) and spend it.
 *
 * @param clientData the decoded client data of the response
 * Step 24: an attestation whose certificates are unknown counts as no attestation. The policy of the service decides
 * whether it needs one.
 *
 * @param requiresUser whether user presence and user verification are required (steps 15 and 16); false only for
 *   conditional mediation
 * @throws CeremonyError with the reason
 */
export async function verifyRegistration(
  response: RegistrationResponseJSON,
  clientData: ClientData,
  { config, metadata }: Pick<Runtime, 'config' | 'metadata'>,
  requiresUser: boolean,
): Promise<VerifiedRegistration> {
  // Steps 10 and 11.
  assertNotCrossOrigin(clientData);
  const { rpId, origins, appOrigins, authenticators } = config;
  const isRequested = authenticators.attestation !== 'none';
  const attestation = readAttestation(response.response.attestationObject, isRequested);
  const trusted = attestation.isCertified
    ? await proveModel(
        { ...attestation, aaguid: aaguidIn(attestation.authData) },
        authenticators,
        metadata,
      ).catch(refuseAttestation)
    : null;
  const registration = await verifyWithLibrary(
    attestation.isCertified ? withAttestation(response, attestation.authData, trusted) : response,
    clientData,
    attestation.authData,
    { rpId, origins: [...origins, ...appOrigins], requiresUser, trusted },
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
    attestation: isRequested ? (trusted?.attestation ?? unproven(attestation.fmt)) : null,
  };
}

const unproven = (format: string): Attestation => ({
  format,
  attested: false,
  root: null,
  certification: null,
  certificates: null,
  statuses: [],
});

/** Certificates come from the caller, and the parsers throw errors of many kinds, so every error is a refusal. */
function refuseAttestation(error: unknown): never {
  if (error instanceof AttestationError) throw new CeremonyError(error.reason, error.cause);
  throw new CeremonyError('attestation_untrusted', error);
}

/**
 * Replaces the attestation in the response with the trusted one. Without a trusted one, removes it, so that SimpleWebAuthn
 * never gets unknown certificates.
 */
function withAttestation(
  response: RegistrationResponseJSON,
  authData: unknown,
  trusted: TrustedAttestation | null,
): RegistrationResponseJSON {
  const object = new Map<string, CBORType>([
    ['fmt', trusted?.attestation.format ?? 'none'],
    ['attStmt', trusted?.statement ?? new Map()],
    ['authData', authData as CBORType],
  ]);
  const attestationObject = Buffer.from(encodeCBOR(object)).toString('base64url');
  return { ...response, response: { ...response.response, attestationObject } };
}

interface Expected {
  rpId: string;
  origins: string[];
  requiresUser: boolean;
  trusted: TrustedAttestation | null;
}

/** SimpleWebAuthn performs steps 7 to 9, 12 to 17 and 20 to 22. */
async function verifyWithLibrary(
  response: RegistrationResponseJSON,
  clientData: ClientData,
  authData: unknown,
  { rpId, origins, requiresUser, trusted }: Expected,
) {
  const { verifyRegistrationResponse } = await simpleWebAuthn();
  const verify = () =>
    verifyRegistrationResponse({
      response,
      expectedChallenge: `${clientData.challenge}`,
      expectedOrigin: origins,
      expectedRPID: rpId,
      requireUserPresence: requiresUser,
      requireUserVerification: requiresUser,
      supportedAlgorithmIDs: offeredAlgorithms,
    });
  const result = await (trusted ? withTrust(trusted.trust, verify) : verify()).catch((error: unknown) => {
    const expected = { type: 'webauthn.create', rpId, origins, requiresUser };
    const reason = explainFailure(clientData, authData, expected);
    const isOfStatement = trusted !== null && reason === 'verification_failed';
    throw new CeremonyError(isOfStatement ? 'attestation_untrusted' : reason, error);
  });
  if (!result.verified) throw new CeremonyError(trusted ? 'attestation_untrusted' : 'signature_invalid');
  return result.registrationInfo;
}

interface ReadAttestation {
  fmt: string;
  statement: AttestationStatement;
  authData: unknown;
  /** The algorithm in a self attestation. Otherwise null. */
  alg: unknown;
  /** Whether the format is one with certificates. */
  isCertified: boolean;
}

/**
 * Steps 13, 21 and 24. Without a request for attestation, accepts only the attestation format `none`, and the format
 * `packed` with self attestation, because browsers send no other format.
 *
 * SimpleWebAuthn ignores bytes after the attestation object, and accepts any empty value as an attestation statement.
 */
function readAttestation(attestationObject: string, isRequested: boolean): ReadAttestation {
  const bytes = Buffer.from(attestationObject, 'base64url');
  const [decoded, length] = decode(bytes);
  const statement: unknown = decoded instanceof Map ? decoded.get('attStmt') : undefined;
  if (!(decoded instanceof Map) || !(statement instanceof Map) || length !== bytes.length)
    throw new CeremonyError('attestation_malformed');
  const fmt: unknown = decoded.get('fmt');
  const isSelfAttestation = fmt === 'packed' && !statement.has('x5c');
  const isCertified = fmt !== 'none' && !isSelfAttestation;
  if (isCertified && !isRequested) throw new CeremonyError('attestation_not_asked_for');
  if (typeof fmt !== 'string' || !(fmt === 'none' || certifiedFormats.includes(fmt)))
    throw new CeremonyError('attestation_malformed');
  return {
    fmt,
    statement,
    authData: decoded.get('authData'),
    alg: isSelfAttestation ? statement.get('alg') : null,
    isCertified,
  };
}

/** The formats that SimpleWebAuthn verifies. */
const certifiedFormats = ['packed', 'tpm', 'android-key', 'android-safetynet', 'apple', 'fido-u2f'];

function decode(bytes: Uint8Array): [value: unknown, length: number] {
  try {
    return decodePartialCBOR(Uint8Array.from(bytes), 0);
  } catch (error) {
    throw new CeremonyError('attestation_malformed', error);
  }
}
