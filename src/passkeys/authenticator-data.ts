import { decodePartialCBOR } from '@levischuck/tiny-cbor';
import { CeremonyError } from './refusal.ts';

const flagsAt = 32;
const attested = 1 << 6;
const extended = 1 << 7;

/**
 * Refuses authenticator data (WebAuthn 6.1) that ends before what it announces, or whose extensions are no map. The
 * library has read it before, but its CBOR decoder takes a string that is cut off for a shorter one.
 *
 * @throws CeremonyError `verification_failed`
 */
export function assertCompleteAuthenticatorData(authData: unknown): void {
  try {
    // The decoder reads from the start of the underlying buffer: it gets one of its own.
    const bytes = Uint8Array.from(authData as Uint8Array);
    const flags = bytes[flagsAt] ?? 0;
    let end = 37;
    if (flags & attested) {
      end += 18 + new DataView(bytes.buffer).getUint16(end + 16);
      end += decodePartialCBOR(bytes, end)[1];
    }
    if (flags & extended) {
      const [extensions, length] = decodePartialCBOR(bytes, end);
      if (!(extensions instanceof Map)) throw new Error('extensions are not a map');
      end += length;
    }
    if (end !== bytes.length) throw new Error(`ends at ${bytes.length}, not at ${end}`);
  } catch (error) {
    throw new CeremonyError('verification_failed', error);
  }
}
