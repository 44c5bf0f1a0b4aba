import { type Bytes, concatBytes } from './bytes.ts';

/** Encodes one DER value: the tag, the length and the content. */
export function der(tag: number, ...content: readonly Uint8Array[]): Bytes {
  const bytes = concatBytes(...content);
  const { length } = bytes;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return concatBytes(Uint8Array.of(tag, ...size), bytes);
}

export const sequence = (...parts: readonly Uint8Array[]): Bytes => der(0x30, ...parts);
export const octets = (...parts: readonly Uint8Array[]): Bytes => der(0x04, ...parts);
export const bits = (content: Uint8Array, unused = 0): Bytes => der(0x03, Uint8Array.of(unused), content);
export const utf8 = (text: string): Bytes => der(0x0c, Buffer.from(text));

/** Encodes an unsigned integer. */
export const integer = (value: Uint8Array): Bytes =>
  der(0x02, (value[0] ?? 0) & 0x80 ? concatBytes(Uint8Array.of(0), value) : value);

export function oid(text: string): Bytes {
  const [first = 0, second = 0, ...rest] = text.split('.').map(Number);
  const bytes = [first * 40 + second, ...rest].flatMap((arc) => {
    const digits = [arc & 0x7f];
    for (let left = arc >> 7; left > 0; left >>= 7) digits.unshift((left & 0x7f) | 0x80);
    return digits;
  });
  return der(0x06, Uint8Array.from(bytes));
}

/** Encodes a time as GeneralizedTime. */
export const time = (at: Date): Bytes =>
  der(0x18, Buffer.from(`${at.toISOString().replace(/\D/g, '').slice(0, 14)}Z`));
