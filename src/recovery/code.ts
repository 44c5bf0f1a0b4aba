import { randomInt } from 'node:crypto';
import type { Sealer } from '../core/sealing.ts';

// The alphabet of Open Location Code. Its characters are easy to distinguish and form no words.
const alphabet = '23456789CFGHJMPQRVWX';
const groups = 7;
const groupLength = 4;

/**
 * Returns a new code with 121 random bits, such as "7G3M-X9QH-FV2W-C8PJ-R46X-3HQ9-WG5C". A code with at least
 * 112 bits can be stored as a digest that is fast to compute (ASVS 5.0, 6.5.2). Earlier codes have 86 bits
 * and stay valid.
 */
export function newRecoveryCode(): string {
  const group = () =>
    Array.from({ length: groupLength }, () => alphabet[randomInt(alphabet.length)]).join('');
  return Array.from({ length: groups }, group).join('-');
}

// Enough for a code with a dash and spaces after each character. Longer input is not normalized, because that is slow.
const maxInputLength = 256;

/** Keeps only letters and digits, in uppercase. */
const normalized = (code: string) =>
  (code.length > maxInputLength ? '' : code)
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toUpperCase();

/** The ids of the keys that `codeHashes` uses. They have the same order as the hashes. */
export const codeKeyIds = (sealer: Sealer) => sealer.keyIds('recovery_code');

/**
 * The hashes of a code: one hash for each configured secret. The first hash is that of the current secret. The database
 * stores hashes instead of codes.
 *
 * The hashes are computed with a secret key, for two reasons. An attacker who reads the table cannot guess codes
 * offline. And a caller cannot choose the values that the database index compares.
 */
export const codeHashes = (sealer: Sealer, code: string): [string, ...string[]] => {
  const [first, ...others] = sealer.digests('recovery_code', normalized(code));
  return [first.toString('base64url'), ...others.map((digest) => digest.toString('base64url'))];
};
