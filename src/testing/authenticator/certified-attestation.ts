import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import type { CBORType } from '@levischuck/tiny-cbor';
import type { IssuingAuthority } from './attestation-authority.ts';
import { newKey } from './attestation-authority.ts';
import type { CertifiedKind } from './attestation-kind.ts';
import { type Bytes, concatBytes, fromHex } from './bytes.ts';
import { extension, nameOf } from './certificate.ts';
import { type CborMap, COSE, coseKey } from './cose-key.ts';
import { der, integer, octets, oid, sequence, utf8 } from './der.ts';
import type { SoftwareCredential } from './resident-credentials.ts';
import { type CreateTampering, transformed } from './tampering.ts';

/** What an attestation statement is about. */
interface Attested {
  credential: SoftwareCredential;
  authenticatorData: Bytes;
  clientDataHash: Bytes;
  tamper: CreateTampering;
}

const es256 = -7;
const sha256 = (bytes: Uint8Array): Bytes => concatBytes(createHash('sha256').update(bytes).digest());

const subject = nameOf(
  ['2.5.4.3', 'Software authenticator'],
  ['2.5.4.10', 'Latchkey tests'],
  ['2.5.4.11', 'Authenticator Attestation'],
  ['2.5.4.6', 'AA'],
);

/** Creates an attestation statement with certificates of the authority (WebAuthn Level 3, 8.2 to 8.8). */
export function certifiedStatement(
  kind: CertifiedKind,
  authority: IssuingAuthority,
  attested: Attested,
): CborMap {
  const { credential, authenticatorData, clientDataHash, tamper } = attested;
  const signedData = concatBytes(authenticatorData, clientDataHash);
  const signed = (key: KeyObject, data: Uint8Array): [string, CBORType][] => [
    ['alg', es256],
    ['sig', transformed(concatBytes(sign('sha256', data, key)), tamper.afterSigning?.signature)],
  ];
  const issued = (key: KeyObject, name: Bytes, ...extensions: Bytes[]): [string, CBORType] => [
    'x5c',
    authority.issue(name, key, extensions),
  ];
  switch (kind) {
    case 'packed': {
      const key = newKey();
      return new Map([...signed(key, signedData), issued(key, subject, aaguidExtension(attested))]);
    }
    case 'android-key':
      return new Map([
        ...signed(credential.privateKey, signedData),
        issued(credential.privateKey, subject, keyDescription(clientDataHash)),
      ]);
    case 'android-safetynet':
      return safetyNet(authority, signedData);
    case 'apple':
      return new Map([issued(credential.privateKey, subject, nonceExtension(sha256(signedData)))]);
    case 'tpm': {
      const key = newKey();
      const [pubArea, certInfo] = tpmStructures(credential, signedData);
      return new Map([
        ...signed(key, certInfo),
        ['ver', '2.0'],
        issued(key, sequence(), ...tpmExtensions, aaguidExtension(attested)),
        ['pubArea', pubArea],
        ['certInfo', certInfo],
      ]);
    }
    case 'fido-u2f': {
      const key = newKey();
      const data = concatBytes(
        Uint8Array.of(0),
        authenticatorData.subarray(0, 32),
        clientDataHash,
        Buffer.from(credential.id, 'base64url'),
        pointOf(credential),
      );
      const [, signature] = signed(key, data);
      return new Map([signature as [string, CBORType], issued(key, subject)]);
    }
  }
}

/** The AAGUID in the certificate (WebAuthn Level 3, 8.2.1). */
const aaguidExtension = ({ credential, tamper }: Attested): Bytes =>
  extension(
    '1.3.6.1.4.1.45724.1.1.4',
    octets(fromHex((tamper.certifiedAaguid ?? credential.aaguid).replaceAll('-', ''))),
  );

const nonceExtension = (nonce: Bytes) =>
  extension('1.2.840.113635.100.8.2', sequence(der(0xa1, octets(nonce))));

/** The description of a key in an Android keystore (WebAuthn Level 3, 8.4.1). */
function keyDescription(clientDataHash: Bytes): Bytes {
  const [software, version] = [der(0x0a, Uint8Array.of(0)), integer(Uint8Array.of(0))];
  return extension(
    '1.3.6.1.4.1.11129.2.1.17',
    sequence(
      integer(Uint8Array.of(0x01, 0x2c)),
      software,
      version,
      software,
      octets(clientDataHash),
      octets(),
      sequence(),
      sequence(),
    ),
  );
}

/** The uncompressed point of a P-256 key. */
function pointOf({ privateKey, algorithm }: SoftwareCredential): Bytes {
  const key = coseKey(privateKey, algorithm);
  return concatBytes(Uint8Array.of(4), key.get(COSE.x) as Bytes, key.get(COSE.y) as Bytes);
}

const tpmNames = [
  ['2.23.133.2.1', 'id:494E5443'],
  ['2.23.133.2.2', 'Software TPM'],
  ['2.23.133.2.3', 'id:00000001'],
].map(([id = '', value = '']) => sequence(oid(id), utf8(value)));

/** WebAuthn Level 3, 8.3.1. */
const tpmExtensions = [
  extension('2.5.29.37', sequence(oid('2.23.133.8.3'))),
  extension('2.5.29.17', sequence(der(0xa4, sequence(der(0x31, ...tpmNames)))), true),
];

/** The structures TPMT_PUBLIC and TPMS_ATTEST (WebAuthn Level 3, 8.3; TPM 2.0 Library, part 2). */
function tpmStructures(credential: SoftwareCredential, signedData: Bytes): [pubArea: Bytes, certInfo: Bytes] {
  const hex = (text: string) => fromHex(text.replaceAll(' ', ''));
  const sized = (bytes: Uint8Array) => concatBytes(Uint8Array.of(0, bytes.length), bytes);
  const point = pointOf(credential);
  const pubArea = concatBytes(
    // ECC key, SHA-256, attributes, no policy, no symmetric algorithm, no scheme, P-256, no key derivation.
    hex('0023 000b 00040000 0000 0010 0010 0003 0010'),
    sized(point.subarray(1, 33)),
    sized(point.subarray(33)),
  );
  const certInfo = concatBytes(
    // TPM_GENERATED_VALUE, TPM_ST_ATTEST_CERTIFY, no signer.
    hex('ff544347 8017 0000'),
    sized(sha256(signedData)),
    // The clock and the version of the firmware.
    hex('0000000000000000 11111111 22222222 33 0000000000000000'),
    sized(concatBytes(hex('000b'), sha256(pubArea))),
    hex('0000'),
  );
  return [pubArea, certInfo];
}

/** WebAuthn Level 3, 8.5. */
function safetyNet(authority: IssuingAuthority, signedData: Bytes): CborMap {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const chain = authority.issue(nameOf(['2.5.4.3', 'attest.android.com']), privateKey, []);
  const header = {
    alg: 'RS256',
    x5c: chain.map((certificate) => Buffer.from(certificate).toString('base64')),
  };
  const payload = {
    nonce: Buffer.from(sha256(signedData)).toString('base64'),
    timestampMs: Date.now(),
    ctsProfileMatch: true,
  };
  const text = [header, payload]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  const signature = sign('sha256', Buffer.from(text), privateKey).toString('base64url');
  return new Map<string | number, CBORType>([
    ['ver', '1'],
    ['response', concatBytes(Buffer.from(`${text}.${signature}`))],
  ]);
}
