import { createHash, createPublicKey, type KeyObject, randomBytes, sign } from 'node:crypto';
import { type Bytes, concatBytes } from './bytes.ts';
import { bits, der, integer, octets, oid, sequence, time, utf8 } from './der.ts';

/** A certificate with its private key. */
export interface Issued {
  certificate: Bytes;
  privateKey: KeyObject;
  subject: Bytes;
}

/** What a certificate contains. */
export interface CertificateContent {
  privateKey: KeyObject;
  /** The name, in DER. */
  subject: Bytes;
  /** The certificate and key that sign it. Null: it signs itself. */
  issuer: Issued | null;
  /** Whether it can sign other certificates. */
  isAuthority: boolean;
  validFrom: Date;
  validTo: Date;
  extensions?: readonly Bytes[];
}

const ecdsaWithSha256 = sequence(oid('1.2.840.10045.4.3.2'));
const critical = der(0x01, Uint8Array.of(0xff));

export const extension = (id: string, value: Uint8Array, isCritical = false): Bytes =>
  sequence(oid(id), ...(isCritical ? [critical] : []), octets(value));

/** Encodes a name from pairs of an object identifier and a value. */
export const nameOf = (...attributes: readonly (readonly [id: string, value: string])[]): Bytes =>
  sequence(
    ...attributes.map(([id, value]) =>
      // The country is a PrintableString.
      der(0x31, sequence(oid(id), id === '2.5.4.6' ? der(0x13, Buffer.from(value)) : utf8(value))),
    ),
  );

/** Issues an X.509 certificate (RFC 5280). The issuer's key is an ECDSA key. */
export function issueCertificate(content: CertificateContent): Issued {
  const { privateKey, subject, issuer, isAuthority, validFrom, validTo, extensions = [] } = content;
  const signer = issuer ?? { privateKey, subject };
  const serial = randomBytes(16);
  serial[0] = ((serial[0] ?? 0) & 0x7f) | 0x40;
  const toSign = sequence(
    der(0xa0, integer(Uint8Array.of(2))),
    integer(serial),
    ecdsaWithSha256,
    signer.subject,
    sequence(time(validFrom), time(validTo)),
    subject,
    spkiOf(privateKey),
    der(
      0xa3,
      sequence(
        extension('2.5.29.19', isAuthority ? sequence(der(0x01, Uint8Array.of(0xff))) : sequence(), true),
        extension(
          '2.5.29.15',
          isAuthority ? bits(Uint8Array.of(0x06), 1) : bits(Uint8Array.of(0x80), 7),
          true,
        ),
        extension('2.5.29.14', octets(keyIdentifier(privateKey))),
        extension('2.5.29.35', sequence(der(0x80, keyIdentifier(signer.privateKey)))),
        ...extensions,
      ),
    ),
  );
  const signature = sign('sha256', toSign, signer.privateKey);
  return { certificate: sequence(toSign, ecdsaWithSha256, bits(signature)), privateKey, subject };
}

/** A list of revoked certificates (RFC 5280, 5). */
export function revocationList(issuer: Issued, revoked: readonly Bytes[], now: Date): Bytes {
  const entries = revoked.map((certificate) => sequence(serialOf(certificate), time(now)));
  const toSign = sequence(
    integer(Uint8Array.of(1)),
    ecdsaWithSha256,
    issuer.subject,
    time(now),
    time(new Date(now.getTime() + 86_400_000)),
    ...(entries.length > 0 ? [sequence(...entries)] : []),
  );
  return sequence(toSign, ecdsaWithSha256, bits(sign('sha256', toSign, issuer.privateKey)));
}

/** The serial number in a certificate, in DER. It follows the version. */
function serialOf(certificate: Bytes): Bytes {
  const start = contentStart(certificate, 0);
  const version = contentStart(certificate, start);
  const serial = version + 5;
  return concatBytes(certificate.subarray(serial, serial + 2 + (certificate[serial + 1] ?? 0)));
}

/** Where the content of the DER value at this offset starts. */
function contentStart(bytes: Uint8Array, at: number): number {
  const length = bytes[at + 1] ?? 0;
  return at + 2 + (length < 0x80 ? 0 : length & 0x7f);
}

const spkiOf = (key: KeyObject): Bytes =>
  concatBytes(createPublicKey(key).export({ format: 'der', type: 'spki' }));

const keyIdentifier = (key: KeyObject): Bytes => concatBytes(createHash('sha1').update(spkiOf(key)).digest());

export const pemOf = (certificate: Uint8Array): string =>
  `-----BEGIN CERTIFICATE-----\n${Buffer.from(certificate).toString('base64')}\n-----END CERTIFICATE-----\n`;
