import { bounds } from '../core/bounds.ts';
import type { Sealer } from '../core/sealing.ts';

/**
 * The current form of a stored password: `$latchkey1$`, the id of a key, then bcrypt's hash of the password's digest, such
 * as `$latchkey1$Zk3b_x-9$2b$12$…`. Without the prefix, a bcrypt hash has the earlier form: bcrypt's hash of the
 * password.
 */
const currentForm = /^\$latchkey1\$([\w-]{8})(\$2b\$.+)$/s;

/** PHP writes `$2y$` for `$2b$`. `$2a$` gives the same hashes for passwords that users can type. */
const bcryptForm = /^\$2[aby]\$((?:0[4-9]|[12]\d|3[01])\$[./A-Za-z0-9]{53})$/;

/** The part of an imported hash before the hash of the other system. */
const importedPrefix = '$imported$';

/** A hash in the database. */
export type StoredHash =
  /** bcrypt's hash of the digest under the key with this id. */
  | { form: 'current'; keyId: string; hash: string }
  /** bcrypt's hash of the normalized password. */
  | { form: 'earlier'; hash: string }
  /** A bcrypt hash from another system, of the password as the user typed it. */
  | { form: 'imported'; hash: string }
  /** A hash of another system, for `password.verify`. */
  | { form: 'foreign'; hash: string }
  /** A damaged hash of the current form. No password matches. */
  | { form: 'unknown' };

export function readStoredHash(stored: string): StoredHash {
  const [, keyId, current = ''] = currentForm.exec(stored) ?? [];
  if (keyId !== undefined && bcryptForm.test(current)) return { form: 'current', keyId, hash: current };
  if (stored.startsWith('$latchkey')) return { form: 'unknown' };
  const isImported = stored.startsWith(importedPrefix);
  const given = isImported ? stored.slice(importedPrefix.length) : stored;
  const [, bcrypt] = bcryptForm.exec(given) ?? [];
  if (bcrypt === undefined) return { form: 'foreign', hash: given };
  return { form: isImported ? 'imported' : 'earlier', hash: `$2b$${bcrypt}` };
}

/** Sign-ins wait for the comparison. A cost of 16 takes about four seconds. */
const highestImportedCost = 16;

/** Why a hash of another system cannot be imported. */
export type HashProblem = 'form' | 'cost' | 'no_verifier';

/**
 * Returns how a hash of another system is stored, or why it cannot be imported.
 *
 * @param accepts whether the application verifies hashes of this form
 */
export function importedHash(
  given: string,
  accepts: (hash: string) => boolean,
): { stored: string } | { problem: HashProblem } {
  if (given.length > bounds.importedHashCharacters || !/^[!-~]+$/.test(given)) return { problem: 'form' };
  if (given.startsWith('$latchkey') || given.startsWith(importedPrefix)) return { problem: 'form' };
  const stored = `${importedPrefix}${given}`;
  const read = readStoredHash(stored);
  if (read.form === 'imported')
    return Number(read.hash.slice(4, 6)) > highestImportedCost ? { problem: 'cost' } : { stored };
  return accepts(given) ? { stored } : { problem: 'no_verifier' };
}

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

/** A password in a request. */
export interface TypedPassword {
  /** As the user typed it. */
  given: string;
  /** From `normalizePassword`. */
  normalized: string;
}

/** What bcrypt compares to check a password. */
export interface Comparison {
  text: string;
  hash: string;
  /** False: the password is wrong, even if the text matches the hash. */
  canMatch: boolean;
}

/**
 * Returns what bcrypt compares for a hash of the current, the earlier or the imported form. If the secret of a stored
 * hash is no longer configured, no password can match.
 */
export function comparisonWith(
  sealer: Sealer,
  { given, normalized }: TypedPassword,
  stored: Extract<StoredHash, { form: 'current' | 'earlier' | 'imported' }>,
): Comparison {
  const digests = passwordDigests(sealer, normalized);
  const { hash } = stored;
  // The other system ignored the same bytes.
  if (stored.form === 'imported') return { text: given, hash, canMatch: true };
  if (stored.form === 'earlier')
    return { text: normalized, hash, canMatch: Buffer.byteLength(normalized) <= bcryptBytes };
  const digest = digests[sealer.keyIds('password').indexOf(stored.keyId)];
  return { text: digest ?? digests[0], hash, canMatch: digest !== undefined };
}
