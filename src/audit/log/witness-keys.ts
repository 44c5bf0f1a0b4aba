import { createPublicKey } from 'node:crypto';
import { deriveKey } from '../../core/derive-key.ts';
import { signingKeyFrom } from '../../core/signing-keys.ts';
import { cosigner, type NoteSigner, type NoteVerifier, noteVerifier, signatureTypes } from './note.ts';

/** The Ed25519 keys with which this service cosigns checkpoints of other logs. They sign only such checkpoints. */
export interface WitnessKeys {
  /** Returns a signer for each secret, the newest first. @param now returns the time in milliseconds */
  signers(now: () => number): readonly NoteSigner[];
  /** Returns the public keys of the signers. */
  verifiers(): readonly NoteVerifier[];
}

/** @param host the host of the application, for example `example.com` */
export function createWitnessKeys(secrets: readonly string[], host: string): WitnessKeys {
  const name = `${host}/auth/audit-witness`;
  const keys = [...new Set(secrets)].map(
    (secret) => signingKeyFrom(deriveKey(secret, 'audit_witness')).privateKey,
  );
  return {
    signers: (now) => keys.map((key) => cosigner(name, key, now)),
    verifiers: () => keys.map((key) => noteVerifier(name, createPublicKey(key), signatureTypes.cosignature)),
  };
}
