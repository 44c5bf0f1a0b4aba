import { hkdfSync } from 'node:crypto';

/** The random values of the specification's examples: HKDF-SHA-256 with this input key material. */
export const hkdf = (info: string, salt: number, length: number): Uint8Array<ArrayBuffer> =>
  new Uint8Array(hkdfSync('sha256', 'WebAuthn test vectors', Uint8Array.of(salt), info, length));
