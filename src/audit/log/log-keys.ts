import { createPublicKey } from 'node:crypto';
import type { Configuration } from '../../core/config.ts';
import { deriveKey } from '../../core/derive-key.ts';
import { signingKeyFrom } from '../../core/signing-keys.ts';
import { type NoteSigner, type NoteVerifier, noteSigner, noteVerifier, readVerifierKey } from './note.ts';

/** The Ed25519 keys that sign the checkpoints of the audit log, and those that verify them. */
export interface LogKeys {
  /**
   * Returns a signer for each current key, the newest first. During a rotation, all of them sign, so a reader who knows
   * only the old key can verify, too. Empty: this process does not sign.
   */
  signers(origin: string): readonly NoteSigner[];
  /** Returns the public keys of the signers, then the other trusted keys of this log. */
  verifiers(origin: string): readonly NoteVerifier[];
}

/** Returns the keys of the configuration. */
export const logKeysOf = ({ secrets, auditLog }: Pick<Configuration, 'secrets' | 'auditLog'>): LogKeys =>
  createLogKeys(secrets, auditLog.signingKeys, auditLog.verifierKeys);

/**
 * Derives one key pair from each secret, or takes the seeds of `auditSigningKey`. The keys are made on first use.
 *
 * @param secrets the secrets of the service
 * @param seeds 32 bytes each. If there are any, the secrets sign nothing.
 * @param trusted the public keys of `auditVerifierKeys`. If there are any, but no seeds, the process signs nothing and
 *   trusts only these keys. Otherwise, an attacker who knows the secret could sign a log that this process accepts.
 */
export function createLogKeys(
  secrets: readonly string[],
  seeds: readonly Buffer[] = [],
  trusted: readonly string[] = [],
): LogKeys {
  let made: readonly ReturnType<typeof signingKeyFrom>['privateKey'][] | undefined;
  const seedsOfSecrets = () => [...new Set(secrets)].map((secret) => deriveKey(secret, 'audit_log'));
  const keys = () => {
    made ??= (seeds.length > 0 || trusted.length > 0 ? seeds : seedsOfSecrets()).map(
      (seed) => signingKeyFrom(seed).privateKey,
    );
    return made;
  };
  return {
    signers: (origin) => keys().map((key) => noteSigner(origin, key)),
    verifiers: (origin) => {
      const own = keys().map((key) => noteVerifier(origin, createPublicKey(key)));
      const others = trusted
        .map(readVerifierKey)
        .filter(({ name, keyId }) => name === origin && !own.some((key) => key.keyId.equals(keyId)));
      return [...own, ...others];
    },
  };
}
