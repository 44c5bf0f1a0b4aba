import { decodePartialCBOR } from '@levischuck/tiny-cbor';
import { CeremonyError } from './refusal.ts';

const flagsOffset = 32;
const aaguidOffset = 37;
/** The AT flag: the data contains attested credential data. */
const attestedFlag = 1 << 6;
/** The ED flag: the data contains extensions. */
const extensionsFlag = 1 << 7;

/** The AAGUID in authenticator data as a UUID. Empty: the data contains none. */
export function aaguidIn(authData: unknown): string {
  if (!(authData instanceof Uint8Array) || !((authData[flagsOffset] ?? 0) & attestedFlag)) return '';
  const hex = Buffer.from(authData.subarray(aaguidOffset, aaguidOffset + 16)).toString('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/**
 * Rejects authenticator data (WebAuthn 6.1) that is truncated or too long. Also rejects extensions that are not a map.
 * SimpleWebAuthn parses the data, too, but its CBOR decoder accepts a truncated string as a shorter string.
 *
 * @throws CeremonyError `verification_failed`
 */
export function assertCompleteAuthenticatorData(authData: unknown): void {
  try {
    // A copy, because the decoder reads from the start of the underlying buffer.
    const bytes = Uint8Array.from(authData as Uint8Array);
    const flags = bytes[flagsOffset] ?? 0;
    let end = 37;
    if (flags & attestedFlag) {
      end += 18 + new DataView(bytes.buffer).getUint16(end + 16);
      end += decodePartialCBOR(bytes, end)[1];
    }
    if (flags & extensionsFlag) {
      const [extensions, length] = decodePartialCBOR(bytes, end);
      if (!(extensions instanceof Map)) throw new Error('extensions are not a map');
      end += length;
    }
    if (end !== bytes.length)
      throw new Error(`authenticator data has ${bytes.length} bytes, expected ${end}`);
  } catch (error) {
    throw new CeremonyError('verification_failed', error);
  }
}
