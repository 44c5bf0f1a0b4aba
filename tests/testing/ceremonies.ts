import {
  type AuthenticationResponseJSON,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  type RegistrationResponseJSON,
  type VerifyAuthenticationResponseOpts,
  type VerifyRegistrationResponseOpts,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import {
  decodeAttestationObject,
  decodeClientDataJSON,
  isoBase64URL,
  isoCBOR,
  parseAuthenticatorData,
} from '@simplewebauthn/server/helpers';
import type { SoftwareCredential } from 'latchkey/testing';

export const ORIGIN = 'https://app.example';
const RP_ID = 'app.example';
export const CHALLENGE = isoBase64URL.fromUTF8String('a challenge of this test');

export function creationOptions(
  changes: Partial<PublicKeyCredentialCreationOptionsJSON> = {},
): PublicKeyCredentialCreationOptionsJSON {
  return {
    rp: { id: RP_ID, name: 'App' },
    user: { id: isoBase64URL.fromUTF8String('handle of ada'), name: 'ada', displayName: 'Ada' },
    challenge: CHALLENGE,
    pubKeyCredParams: [-7, -8, -257].map((alg) => ({ alg, type: 'public-key' })),
    ...changes,
  };
}

export function requestOptions(
  changes: Partial<PublicKeyCredentialRequestOptionsJSON> = {},
): PublicKeyCredentialRequestOptionsJSON {
  return { challenge: CHALLENGE, rpId: RP_ID, ...changes };
}

export function userNamed(name: string) {
  return creationOptions({ user: { id: isoBase64URL.fromUTF8String(name), name, displayName: name } });
}

export function verifyRegistration(
  response: RegistrationResponseJSON,
  changes: Partial<VerifyRegistrationResponseOpts> = {},
) {
  return verifyRegistrationResponse({
    response,
    expectedChallenge: CHALLENGE,
    expectedOrigin: ORIGIN,
    expectedRPID: RP_ID,
    ...changes,
  });
}

/** Verifies an assertion of the authenticator's credential. `counter` is the value that the server stored. */
export function verifyAuthentication(
  response: AuthenticationResponseJSON,
  held: SoftwareCredential | undefined,
  counter = 0,
  changes: Partial<VerifyAuthenticationResponseOpts> = {},
) {
  if (!held) throw new TypeError('The authenticator holds no such credential');
  return verifyAuthenticationResponse({
    response,
    expectedChallenge: CHALLENGE,
    expectedOrigin: ORIGIN,
    expectedRPID: RP_ID,
    credential: { id: held.id, publicKey: held.publicKey, counter },
    ...changes,
  });
}

/** Decodes a registration response with the decoders of the server library. */
export function decodeRegistration({ response }: RegistrationResponseJSON) {
  const attestation = decodeAttestationObject(isoBase64URL.toBuffer(response.attestationObject));
  const data = parseAuthenticatorData(attestation.get('authData'));
  return {
    fmt: attestation.get('fmt'),
    attStmt: attestation.get('attStmt'),
    authData: attestation.get('authData'),
    clientData: decodeClientDataJSON(response.clientDataJSON),
    data,
    publicKey: data.credentialPublicKey ? coseMap(data.credentialPublicKey) : undefined,
  };
}

/** Decodes an assertion with the decoders of the server library. */
export function decodeAssertion({ response }: AuthenticationResponseJSON) {
  return {
    clientData: decodeClientDataJSON(response.clientDataJSON),
    data: parseAuthenticatorData(isoBase64URL.toBuffer(response.authenticatorData)),
  };
}

export function coseMap(publicKey: SoftwareCredential['publicKey']): Map<number, unknown> {
  return isoCBOR.decodeFirst<Map<number, unknown>>(publicKey);
}
