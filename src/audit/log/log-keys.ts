import { createPublicKey } from 'node:crypto';
import { deriveKey } from '../../core/derive-key.ts';
import { signingKeyFrom } from '../../core/signing-keys.ts';
import { type NoteSigner, type NoteVerifier, noteSigner, noteVerifier } from './note.ts';

/** The Ed25519 keys that sign the checkpoints of the audit log. */
export interface LogKeys {
  /**
   * Returns a signer for each current key, the newest first. During a rotation, all of them sign, so a reader who knows
   * only the old key can verify, too.
   */
  signers(origin: string): readonly NoteSigner[];
  /** Returns the public keys of the signers. */
  verifiers(origin: string): readonly NoteVerifier[];
}

/**
 * Derives one key pair from each secret, or takes the seeds of `auditSigningKey`. The keys are made on first use.
 *
 * @param secrets the secrets of the service
 * @param seeds 32 bytes each. If there are any, the secrets sign nothing.
 */
export function createLogKeys(secrets: readonly string[], seeds: readonly Buffer[] = []): LogKeys {
  let made: readonly ReturnType<typeof signingKeyFrom>['privateKey'][] | undefined;
  const keys = () => {
    made ??= (
      seeds.length > 0 ? seeds : [...new Set(secrets)].map((secret) => deriveKey(secret, 'audit_log'))
    ).map((seed) => signingKeyFrom(seed).privateKey);
    return made;
  };
  return {
    signers: (origin) => keys().map((key) => noteSigner(origin, key)),
    verifiers: (origin) => keys().map((key) => noteVerifier(origin, createPublicKey(key))),
  };
}
