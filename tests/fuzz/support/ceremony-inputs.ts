import { createHash, createPrivateKey, sign } from 'node:crypto';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { readConfiguration } from 'latchkey';
import { createSoftwareAuthenticator, type SoftwareAuthenticatorOptions } from 'latchkey/testing';
import { readClientData } from '../../../src/passkeys/client-data.ts';
import { CeremonyError } from '../../../src/passkeys/refusal.ts';
import { type VerifiedAssertion, verifyAssertion } from '../../../src/passkeys/verify-assertion.ts';
import { type VerifiedRegistration, verifyRegistration } from '../../../src/passkeys/verify-registration.ts';

export const origin = 'https://app.example';
const rpId = 'app.example';
export const rpIdHash = createHash('sha256').update(rpId).digest();
const config = readConfiguration({
  database: {},
  rpId,
  origins: origin,
  secret: 'kJ9v2Qx7mN4pR8tW1yB5cF0hL3sD6gZaXeUoIuTqVwEr',
  env: {},
});
const challenge = 'Y2hhbGxlbmdlIG9mIHRoZSBmdXp6ZXI';
/** Fixed, so that the inputs of a corpus have the same effect in every run. */
const privateKey = createPrivateKey({
  format: 'jwk',
  key: {
    kty: 'EC',
    crv: 'P-256',
    x: 'qct55yDESr6rlwjApAOy9fZWzaV57IDRYoNgK81TPvo',
    y: 'wH9O51V9bkJoy1Lcg4M359I21DRPsQHeTArrV3WXvXk',
    d: 'gSziUStfMF4egPr-VPK9XNtvJWtTgVpuYDZWgrQ5Dlw',
  },
});
const credentialId = Buffer.alloc(32, 7);

/** Registers the fixed key, and signs in with it. */
async function ceremonies(options: Partial<SoftwareAuthenticatorOptions>) {
  const authenticator = createSoftwareAuthenticator({ origin, ...options });
  const user = { id: 'YWRh', name: 'ada', displayName: 'Ada' };
  const pubKeyCredParams = [{ alg: -7, type: 'public-key' as const }];
  const registration = await authenticator.create(
    { rp: { id: rpId, name: 'App' }, user, challenge, pubKeyCredParams },
    { key: privateKey, credentialId },
  );
  const assertion = await authenticator.get({ challenge, rpId });
  const publicKey = Buffer.from(authenticator.credentials[0]?.publicKey ?? []).toString('base64url');
  return { registration, assertion, publicKey };
}

export const plain = await ceremonies({});
export const attested = await ceremonies({ attestation: 'packed-self', counter: 5, backupEligible: false });

export const fromBase64url = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'base64url'));
const toBase64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');

interface RegistrationParts {
  clientDataJSON?: Uint8Array;
  attestationObject?: Uint8Array;
}

/** Verifies a valid registration in which the given parts are replaced. Null: rejected. */
export async function register(
  parts: RegistrationParts,
  { registration } = plain,
): Promise<VerifiedRegistration | null> {
  const response: RegistrationResponseJSON = {
    ...registration,
    response: { ...registration.response, ...encoded(parts) },
  };
  const clientData = readClientData(response.response.clientDataJSON);
  if (typeof clientData?.challenge !== 'string') return null;
  return verifyRegistration(response, clientData, { config, metadata: null }, true).catch(rejected);
}

interface AssertionParts {
  clientDataJSON?: Uint8Array;
  authenticatorData?: Uint8Array;
}

/** Verifies an assertion with a valid signature of the given parts. Null: rejected. */
export async function signIn(parts: AssertionParts): Promise<VerifiedAssertion | null> {
  const { assertion, publicKey } = plain;
  const { clientDataJSON, authenticatorData } = { ...assertion.response, ...encoded(parts) };
  const digest = createHash('sha256').update(fromBase64url(clientDataJSON)).digest();
  const signature = sign('sha256', Buffer.concat([fromBase64url(authenticatorData), digest]), privateKey);
  const response: AuthenticationResponseJSON = {
    ...assertion,
    response: { ...assertion.response, clientDataJSON, authenticatorData, signature: toBase64url(signature) },
  };
  const clientData = readClientData(clientDataJSON);
  if (typeof clientData?.challenge !== 'string') return null;
  const userHandle = assertion.response.userHandle ?? null;
  const stored = { credentialId: assertion.id, publicKey, counter: 0, backupEligible: null, userHandle };
  return verifyAssertion(response, clientData, stored, true, config).catch(rejected);
}

const encoded = (parts: object): object =>
  Object.fromEntries(Object.entries(parts).map(([name, bytes]) => [name, toBase64url(bytes)]));

/** Ceremonies are rejected with a `CeremonyError`. Any other error becomes a response with the status 500. */
function rejected(error: unknown): null {
  if (error instanceof CeremonyError) return null;
  throw error;
}
