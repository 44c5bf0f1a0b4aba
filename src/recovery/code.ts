import { randomInt } from 'node:crypto';
import type { Sealer } from '../core/sealing.ts';

// The alphabet of Open Location Code: its characters are easy to tell apart and spell no words.
const alphabet = '23456789CFGHJMPQRVWX';
const codeLength = 20;
const groupLength = 5;

/** A new code with 86 random bits, such as "7G3MX-9QHFV-2WC8P-JR46X". */
export function newRecoveryCode(): string {
  const code = Array.from({ length: codeLength }, () => alphabet[randomInt(alphabet.length)]).join('');
  return (code.match(new RegExp(`.{${groupLength}}`, 'g')) ?? []).join('-');
}

// Longer than a code with a dash and spaces after each character. Normalizing much longer input would be slow.
const maxInputLength = 256;

/** Ignores case and everything except letters and digits. */
const normalized = (code: string) =>
  (code.length > maxInputLength ? '' : code)
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toUpperCase();

/** The names of the keys that may have hashed a code, the current key first. */
export const codeKeyIds = (sealer: Sealer) => sealer.keyIds('recovery_code');

/**
 * The keyed hashes of a code, the one with the current secret first. The database stores hashes instead of codes.
 *
 * Without the key, an attacker who reads the table cannot guess codes offline, and a caller cannot control which values
 * the index compares.
 */
export const codeHashes = (sealer: Sealer, code: string): [string, ...string[]] => {
  const [first, ...others] = sealer.digests('recovery_code', normalized(code));
  return [first.toString('base64url'), ...others.map((digest) => digest.toString('base64url'))];
};
