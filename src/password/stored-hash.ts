import type { Sealer } from '../core/sealing.ts';

/**
 * The current form of a stored password: `$latchkey1$`, the id of a key, then bcrypt's hash of the password's digest, such
 * as `$latchkey1$Zk3b_x-9$2b$12$…`. Without the prefix, a hash has the earlier form: bcrypt's hash of the password.
 */
const currentForm = /^\$latchkey1\$([\w-]{8})(\$2b\$.+)$/s;

/**
 * The part of the current form before bcrypt's hash. Contains the id of the key that the first secret gives.
 */
export const currentPrefix = (sealer: Sealer): string => `$latchkey1$${sealer.keyIds('password')[0]}`;

/**
 * Returns the digest of a password under each configured secret: the text that bcrypt hashes.
 *
 * A digest is shorter than the 72 bytes that bcrypt reads, so users can have long passwords in every script. It is in
 * base64url, because bcrypt stops reading at NUL. It is keyed, for two reasons. An attacker who reads the
 * database cannot guess passwords offline (NIST SP 800-63B-4, 3.1.1.2). And an attacker cannot compare
 * bcrypt's hash with digests that leaked from another service (password shucking: OWASP Password Storage
 * Cheat Sheet, "Pre-Hashing Passwords").
 */
export function passwordDigests(sealer: Sealer, password: string): [string, ...string[]] {
  const [first, ...others] = sealer.digests('password', password);
  return [first.toString('base64url'), ...others.map((digest) => digest.toString('base64url'))];
}

// bcrypt ignores all bytes after the 72nd.
const bcryptBytes = 72;

/** What bcrypt compares to check a password. */
export interface Comparison {
  text: string;
  hash: string;
  /** False: the password is wrong, even if the text matches the hash. */
  canMatch: boolean;
}

/** If the secret of a stored hash is no longer configured, no password can match. */
export function comparisonWith(sealer: Sealer, password: string, stored: string): Comparison {
  const digests = passwordDigests(sealer, password);
  const { keyId, hash } = readStoredHash(stored);
  if (keyId === null) return { text: password, hash, canMatch: Buffer.byteLength(password) <= bcryptBytes };
  const digest = digests[sealer.keyIds('password').indexOf(keyId)];
  return { text: digest ?? digests[0], hash, canMatch: digest !== undefined };
}

/** Whether the secret of a stored hash is still configured. */
export const hasConfiguredSecret = (sealer: Sealer, stored: string): boolean => {
  const { keyId } = readStoredHash(stored);
  return keyId === null || sealer.keyIds('password').includes(keyId);
};

/** Returns bcrypt's hash and the id of the digest's key. Null: the hash has the earlier form. */
export function readStoredHash(stored: string): { keyId: string | null; hash: string } {
  const [, keyId, hash] = currentForm.exec(stored) ?? [];
  return keyId === undefined || hash === undefined ? { keyId: null, hash: stored } : { keyId, hash };
}
