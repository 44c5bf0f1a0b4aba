import { randomBytes } from 'node:crypto';
import { encodeCBOR } from '@levischuck/tiny-cbor';
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialParameters,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { encodeAttestationObject } from './attestation.ts';
import { encodeAuthenticatorData } from './authenticator-data.ts';
import type { AuthenticatorSettings } from './authenticator-settings.ts';
import { toBase64url } from './bytes.ts';
import { encodeClientData } from './client-data.ts';
import { coseKey, subjectPublicKeyInfo } from './cose-key.ts';
import type { SoftwareCredential } from './resident-credentials.ts';
import { coseAlgorithmId, newPrivateKey, type SoftwareAlgorithm } from './signing-key.ts';
import { type CreateTampering, overridden, transformed } from './tampering.ts';

/** Creates a credential. Does not store it. */
export async function newCredential(
  settings: AuthenticatorSettings,
  rpId: string,
  options: PublicKeyCredentialCreationOptionsJSON,
  tamper: CreateTampering,
): Promise<SoftwareCredential> {
  const algorithm = tamper.algorithm ?? settings.algorithm;
  if (!tamper.algorithm && !tamper.key) refuseUnoffered(algorithm, options.pubKeyCredParams);
  const privateKey = tamper.key ?? (await newPrivateKey(algorithm));
  const honestKey = coseKey(privateKey, algorithm);
  const publicKey = tamper.publicKey?.(new Map(honestKey)) ?? honestKey;
  return {
    id: toBase64url(tamper.credentialId ?? randomBytes(32)),
    rpId,
    userHandle: options.user.id,
    username: options.user.name,
    algorithm,
    publicKey: new Uint8Array(publicKey instanceof Map ? encodeCBOR(publicKey) : publicKey),
    privateKey,
    aaguid: tamper.aaguid ?? settings.aaguid,
    backupEligible: settings.backupEligible,
    backedUp: settings.backedUp,
    transports: settings.transports,
    counter: settings.counter,
  };
}

/** Builds the response of a registration, with the changes of `tamper` (WebAuthn Level 3, 5.1.3 and 6.3.2). */
export function registrationResponse(
  settings: AuthenticatorSettings,
  credential: SoftwareCredential,
  options: PublicKeyCredentialCreationOptionsJSON,
  tamper: CreateTampering,
): RegistrationResponseJSON {
  const clientDataJSON = encodeClientData(
    { type: 'webauthn.create', challenge: options.challenge, origin: settings.origin },
    tamper.clientData,
  );
  const authenticatorData = encodeAuthenticatorData(
    { ...credential, signCount: credential.counter },
    tamper.attestedCredentialData === false
      ? undefined
      : { ...credential, id: Buffer.from(credential.id, 'base64url') },
    tamper,
  );
  const attestationObject = encodeAttestationObject(
    settings,
    credential,
    authenticatorData,
    clientDataJSON,
    tamper,
  );

  const { id = credential.id, afterSigning } = tamper;
  const response = {
    id,
    rawId: tamper.rawId ?? id,
    type: tamper.type ?? 'public-key',
    authenticatorAttachment: overridden(tamper, 'authenticatorAttachment', settings.attachment),
    clientExtensionResults: tamper.clientExtensionResults ?? honestExtensions(options),
    response: {
      clientDataJSON: toBase64url(transformed(clientDataJSON, afterSigning?.clientDataJSON)),
      attestationObject: toBase64url(attestationObject),
      authenticatorData: toBase64url(transformed(authenticatorData, afterSigning?.authenticatorData)),
      transports: overridden(tamper, 'transports', [...credential.transports]),
      publicKeyAlgorithm: coseAlgorithmId(credential.algorithm),
      publicKey: toBase64url(subjectPublicKeyInfo(credential.privateKey)),
    },
  };
  // The cast is needed, because a response with a test's changes does not always match the type.
  return response as RegistrationResponseJSON;
}

/** @param offered an empty list offers ES256 and RS256 (WebAuthn Level 3, 5.1.3) */
function refuseUnoffered(algorithm: SoftwareAlgorithm, offered: PublicKeyCredentialParameters[]): void {
  const ids = offered.length > 0 ? offered.map(({ alg }) => alg) : [-7, -257];
  if (!ids.includes(coseAlgorithmId(algorithm))) {
    throw new DOMException(
      `This authenticator creates ${algorithm} keys, which pubKeyCredParams does not allow`,
      'NotSupportedError',
    );
  }
}

/** Reports that the credential is discoverable (WebAuthn Level 3, 10.1.3). This authenticator creates no other kind. */
function honestExtensions(options: PublicKeyCredentialCreationOptionsJSON): Record<string, unknown> {
  return options.extensions?.credProps ? { credProps: { rk: true } } : {};
}
