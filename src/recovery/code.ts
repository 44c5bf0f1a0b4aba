import { randomInt } from 'node:crypto';
import type { Sealer } from '../core/sealing.ts';

// Digits and consonants that look like no other of them, in print and by hand, and that spell no words: the twenty
// of Open Location Code.
const alphabet = '23456789CFGHJMPQRVWX';
const characters = 20;
const groupLength = 5;

/** A new code: twenty characters of twenty, so 86 random bits, in groups of five. "7G3MX-9QHFV-2WC8P-JR46X" */
export function newRecoveryCode(): string {
  const code = Array.from({ length: characters }, () => alphabet[randomInt(alphabet.length)]).join('');
  return (code.match(new RegExp(`.{${groupLength}}`, 'g')) ?? []).join('-');
}

// A code with a dash and spaces after every symbol is no longer; normalizing much more would take long.
const longestConsidered = 256;

/** What is typed of a code: case does not matter, nor does anything but letters and digits. */
const normalized = (code: string) =>
  (code.length > longestConsidered ? '' : code)
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toUpperCase();

/** The names of the keys that hashes of codes may be made with, the current one first. */
export const codeKeyIds = (sealer: Sealer) => sealer.keyIds('recovery_code');

/**
 * What a code is stored and looked up by: keyed digests, the one under the current secret first. Without the key
 * nobody who reads the table can try codes against it, and nobody outside can steer what the index compares.
 */
export const codeHashes = (sealer: Sealer, code: string): [string, ...string[]] => {
  const [first, ...others] = sealer.digests('recovery_code', normalized(code));
  return [first.toString('base64url'), ...others.map((digest) => digest.toString('base64url'))];
};
