import * as v from 'valibot';
import { id, time } from '../http/resource.ts';
import type { Passkey } from './passkey.ts';

export const passkeyResource = v.object({
  id,
  label: v.string(),
  provider: v.pipe(
    v.nullable(v.string()),
    v.description('The authenticator’s human name by its AAGUID, where it is known.'),
  ),
  aaguid: v.string(),
  transports: v.array(v.string()),
  backupEligible: v.pipe(v.boolean(), v.description('Whether it can be synced to other devices (BE).')),
  backedUp: v.pipe(v.boolean(), v.description('Whether it is synced just now (BS).')),
  createdAt: time,
  lastUsedAt: v.nullable(time),
}) satisfies v.GenericSchema<Passkey>;

const type = v.literal('public-key');
const base64url = v.string();
const milliseconds = v.pipe(v.number(), v.integer());
const extensions = v.optional(v.record(v.string(), v.unknown()));
const descriptor = v.object({ id: base64url, type, transports: v.optional(v.array(v.string())) });

/** PublicKeyCredentialCreationOptionsJSON (WebAuthn Level 3, 5.1.8), as far as the service makes use of it. */
export const creationOptionsResource = v.object({
  rp: v.object({ id: v.string(), name: v.string() }),
  user: v.object({ id: base64url, name: v.string(), displayName: v.string() }),
  challenge: base64url,
  pubKeyCredParams: v.array(v.object({ type, alg: v.pipe(v.number(), v.integer()) })),
  timeout: milliseconds,
  excludeCredentials: v.array(descriptor),
  authenticatorSelection: v.object({
    residentKey: v.string(),
    requireResidentKey: v.boolean(),
    userVerification: v.string(),
  }),
  attestation: v.string(),
  hints: v.array(v.string()),
  extensions,
});

/** PublicKeyCredentialRequestOptionsJSON (WebAuthn Level 3, 5.1.9), likewise. */
export const requestOptionsResource = v.object({
  challenge: base64url,
  rpId: v.string(),
  timeout: milliseconds,
  allowCredentials: v.array(descriptor),
  userVerification: v.string(),
  extensions,
});
