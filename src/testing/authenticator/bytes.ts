/**
 * Bytes that start at the beginning of their `ArrayBuffer`. A pooled `Buffer` often starts later, but the CBOR decoder
 * ignores `byteOffset`.
 */
export type Bytes = Uint8Array<ArrayBuffer>;

export function concatBytes(...parts: Uint8Array[]): Bytes {
  return new Uint8Array(Buffer.concat(parts));
}

export function toBase64url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url');
}

export function fromUtf8(text: string): Bytes {
  return new Uint8Array(Buffer.from(text, 'utf8'));
}

export function fromHex(hex: string): Bytes {
  return new Uint8Array(Buffer.from(hex, 'hex'));
}
