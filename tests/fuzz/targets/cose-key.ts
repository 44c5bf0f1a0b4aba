import { encodeCBOR } from '@levischuck/tiny-cbor';
import { algorithmOf, assertAcceptableKey, offeredAlgorithms } from '../../../src/passkeys/public-key.ts';
import { CeremonyError } from '../../../src/passkeys/refusal.ts';
import { assertHolds, type FuzzTarget } from '../fuzz-target.ts';
import { fromBase64url, plain } from '../support/ceremony-inputs.ts';

const ed25519 = 'oYqqHpl8waM_AMApFaCOTkIWpfX_fDZngt6gZOU-NaU';
/** Odd, and its first bit is set. The service does not check that it is a product of two primes. */
const modulus = Buffer.alloc(256, 0xab);

/** The public key of a passkey: COSE (RFC 9052) of all offered algorithms. */
export const coseKey: FuzzTarget = {
  name: 'cose-key',
  maxBytes: 2400,
  dictionary: [
    ...[1, 2, 3, 6, -1, -2, -3, -7, -8, -257, -65535].map((number) => encodeCBOR(number)),
    Buffer.of(0x58, 0x20),
    Buffer.of(0x59, 0x01, 0x00),
    Buffer.of(0xa0),
    Buffer.of(0xbf, 0xff),
    Buffer.of(0xf6),
    Buffer.alloc(32),
    Buffer.alloc(32, 0xff),
  ],
  seeds: () => [
    fromBase64url(plain.publicKey),
    encodeCBOR(
      new Map<number, number | Uint8Array>([
        [1, 1],
        [3, -8],
        [-1, 6],
        [-2, fromBase64url(ed25519)],
      ]),
    ),
    encodeCBOR(
      new Map<number, number | Uint8Array>([
        [1, 3],
        [3, -257],
        [-1, Uint8Array.from(modulus)],
        [-2, Uint8Array.of(1, 0, 1)],
      ]),
    ),
  ],
  run: async (input) => {
    try {
      await assertAcceptableKey(input);
    } catch (error) {
      if (error instanceof CeremonyError) return;
      throw error;
    }
    assertHolds(input.length <= 2048, 'accepted a large key');
    assertHolds(offeredAlgorithms.includes(Number(algorithmOf(input))), 'accepted another algorithm');
  },
};
