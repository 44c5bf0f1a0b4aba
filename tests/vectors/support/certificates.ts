import { createHash } from 'node:crypto';
import { hkdf } from './hkdf.ts';
import { ecdsaKeys, type Keys } from './keys.ts';

/** One DER value: the tag, the length and the content. */
function der(tag: number, ...content: readonly Uint8Array[]): Buffer {
  const bytes = Buffer.concat(content);
  const { length } = bytes;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(tag, ...size), bytes]);
}

const sequence = (...parts: readonly Uint8Array[]) => der(0x30, ...parts);
const octets = (...parts: readonly Uint8Array[]) => der(0x04, ...parts);
const bits = (content: Uint8Array, unused = 0) => der(0x03, Buffer.of(unused), content);
const utf8 = (text: string) => der(0x0c, Buffer.from(text));
const integer = (value: Uint8Array) =>
  der(0x02, (value[0] ?? 0) & 0x80 ? Buffer.concat([Buffer.of(0), value]) : value);

function oid(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split('.').map(Number);
  const bytes = [first * 40 + second, ...rest].flatMap((arc) => {
    const digits = [arc & 0x7f];
    for (let left = arc >> 7; left > 0; left >>= 7) digits.unshift((left & 0x7f) | 0x80);
    return digits;
  });
  return der(0x06, Buffer.from(bytes));
}

const critical = der(0x01, Buffer.of(0xff));
const extension = (id: string, value: Uint8Array, ...isCritical: Buffer[]) =>
  sequence(oid(id), ...isCritical, octets(value));

const attribute = (id: string, value: Uint8Array) => sequence(oid(id), value);

const nameOf = (unit: string) =>
  sequence(
    ...[
      attribute('2.5.4.3', utf8('WebAuthn test vectors')),
      attribute('2.5.4.10', utf8('W3C')),
      attribute('2.5.4.11', utf8(unit)),
      attribute('2.5.4.6', der(0x13, Buffer.from('AA'))),
    ].map((part) => der(0x31, part)),
  );

const validity = sequence(der(0x17, Buffer.from('240101000000Z')), der(0x18, Buffer.from('30240101000000Z')));
const ecdsaWithSha256 = sequence(oid('1.2.840.10045.4.3.2'));

/** The uncompressed point of a P-256 key. */
export const pointOf = ({ publicKey }: Pick<Keys, 'publicKey'>): Buffer =>
  Buffer.concat([Buffer.of(4), publicKey.get(-2) as Uint8Array, publicKey.get(-3) as Uint8Array]);

const keyId = (keys: Keys) => createHash('sha1').update(pointOf(keys)).digest();

/** The attestation authority of the specification (section 16.1). It signs all attestation certificates. */
const authority = ecdsaKeys('ES256', hkdf('Attestation CA', 0, 32));

/** @param extra the extensions that only one attestation format has */
const certificate = (serial: Uint8Array, keys: Keys, subject: Buffer, extra: readonly Buffer[]): Buffer =>
  signedCertificate(serial, keys, subject, [
    extension('2.5.29.19', sequence(), critical),
    extension('2.5.29.15', bits(Buffer.of(0x80), 7), critical),
    extension('2.5.29.14', octets(keyId(keys))),
    extension('2.5.29.35', sequence(der(0x80, keyId(authority)))),
    ...extra,
  ]);

function signedCertificate(
  serial: Uint8Array,
  keys: Keys,
  subject: Buffer,
  extensions: readonly Buffer[],
): Buffer {
  const publicKey = sequence(
    sequence(oid('1.2.840.10045.2.1'), oid('1.2.840.10045.3.1.7')),
    bits(pointOf(keys)),
  );
  const toSign = sequence(
    der(0xa0, integer(Buffer.of(2))),
    integer(serial),
    ecdsaWithSha256,
    nameOf('Authenticator Attestation CA'),
    validity,
    subject,
    publicKey,
    der(0xa3, sequence(...extensions)),
  );
  return sequence(toSign, ecdsaWithSha256, bits(authority.sign(toSign)));
}

/** The certificate of the attestation authority (section 16.1). */
export const authorityCertificate = (): Buffer =>
  signedCertificate(hkdf('Attestation CA', 1, 16), authority, nameOf('Authenticator Attestation CA'), [
    extension('2.5.29.19', sequence(critical), critical),
    extension('2.5.29.15', bits(Buffer.of(0x06), 1), critical),
    extension('2.5.29.14', octets(keyId(authority))),
  ]);

const namedSubject = nameOf('Authenticator Attestation');

export const plainCertificate = (serial: Uint8Array, keys: Keys): Buffer =>
  certificate(serial, keys, namedSubject, []);

/** The certificate of an attestation identity key (WebAuthn 8.3.1): without a subject, with the TPM's names. */
export const tpmCertificate = (serial: Uint8Array, keys: Keys): Buffer => {
  const names = [
    attribute('2.23.133.2.1', utf8('id:00000000')),
    attribute('2.23.133.2.3', utf8('id:00000000')),
    attribute('2.23.133.2.2', utf8('WebAuthn test vectors')),
  ];
  return certificate(serial, keys, sequence(), [
    extension('2.5.29.37', sequence(oid('2.23.133.8.3'))),
    extension('2.5.29.17', sequence(der(0xa4, sequence(der(0x31, ...names)))), critical),
  ]);
};

/** The certificate of a key in an Android keystore (WebAuthn 8.4.1). It contains the hash of the client data. */
export const androidCertificate = (serial: Uint8Array, keys: Keys, challenge: Uint8Array): Buffer => {
  const [software, version] = [der(0x0a, Buffer.of(0)), integer(Buffer.of(0))];
  const description = sequence(
    integer(Buffer.of(0x01, 0x2c)),
    software,
    version,
    software,
    octets(challenge),
    octets(),
    sequence(),
    sequence(),
  );
  return certificate(serial, keys, namedSubject, [extension('1.3.6.1.4.1.11129.2.1.17', description)]);
};

/** The certificate of an Apple authenticator (WebAuthn 8.8). It contains the hash of the data of the ceremony. */
export const appleCertificate = (serial: Uint8Array, keys: Keys, nonce: Uint8Array): Buffer =>
  certificate(serial, keys, namedSubject, [
    extension('1.2.840.113635.100.8.2', sequence(der(0xa1, octets(nonce)))),
  ]);
