import { createHash } from 'node:crypto';
import { type CBORType, encodeCBOR } from '@levischuck/tiny-cbor';
import {
  androidCertificate,
  appleCertificate,
  plainCertificate,
  pointOf,
  tpmCertificate,
} from './certificates.ts';
import { ecdsaKeys, type Keys } from './keys.ts';

/** The attestation formats in section 16. `packed-self` is `packed` without certificates. */
export type Format = 'none' | 'packed-self' | 'packed' | 'tpm' | 'android-key' | 'apple' | 'fido-u2f';

/** What an attestation statement is about. */
export interface Attested {
  keys: Keys;
  credentialId: Uint8Array;
  authenticatorData: Uint8Array;
  clientDataHash: Uint8Array;
  /** Returns the next random value of the example. */
  random(length: number): Uint8Array;
}

/** An attestation statement (WebAuthn 8). */
export type Statement = Map<string | number, CBORType>;

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();
const plain = (bytes: Uint8Array) => Uint8Array.from(bytes);

/** Encodes an attestation object (WebAuthn 6.5.4). */
export function attestationObject(
  fmt: string,
  statement: Statement,
  authenticatorData: Uint8Array,
): Uint8Array {
  return encodeCBOR(
    new Map<string, CBORType>([
      ['fmt', fmt],
      ['attStmt', statement],
      ['authData', plain(authenticatorData)],
    ]),
  );
}

/** Creates the attestation statement of an example. Reads the random values in the order of the specification. */
export function attestationStatement(format: Format, attested: Attested): Statement {
  const { keys, random, authenticatorData, clientDataHash } = attested;
  const signedData = Buffer.concat([authenticatorData, clientDataHash]);
  const signed = (by: Keys, data: Uint8Array): [string, CBORType][] => [
    ['alg', -7],
    ['sig', plain(by.sign(data))],
  ];
  const certificates = (certificate: Uint8Array): [string, CBORType] => ['x5c', [plain(certificate)]];

  switch (format) {
    case 'none':
      return new Map();
    case 'packed-self':
      return new Map(signed(keys, signedData));
    case 'android-key': {
      const certificate = androidCertificate(random(16), keys, clientDataHash);
      return new Map([...signed(keys, signedData), certificates(certificate)]);
    }
    case 'apple':
      return new Map([certificates(appleCertificate(random(16), keys, sha256(signedData)))]);
    default: {
      const attester = ecdsaKeys('ES256', random(32));
      const serial = random(16);
      if (format === 'tpm') {
        const [pubArea, certInfo] = tpmStructures(keys, signedData);
        return new Map([
          ...signed(attester, certInfo),
          ['ver', '2.0'],
          certificates(tpmCertificate(serial, attester)),
          ['pubArea', plain(pubArea)],
          ['certInfo', plain(certInfo)],
        ]);
      }
      const certificate = certificates(plainCertificate(serial, attester));
      if (format === 'packed') return new Map([...signed(attester, signedData), certificate]);
      return new Map([['sig', plain(attester.sign(u2fData(attested)))], certificate]);
    }
  }
}

/** The data that a U2F authenticator signs (WebAuthn 8.6, verification step 5). */
const u2fData = ({ authenticatorData, clientDataHash, credentialId, keys }: Attested) =>
  Buffer.concat([
    Buffer.of(0),
    authenticatorData.subarray(0, 32),
    clientDataHash,
    credentialId,
    pointOf(keys),
  ]);

/** The structures TPMT_PUBLIC and TPMS_ATTEST (WebAuthn 8.3; TPM 2.0 Library, part 2). */
function tpmStructures({ publicKey }: Keys, signedData: Uint8Array): [pubArea: Buffer, certInfo: Buffer] {
  const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex');
  const sized = (bytes: Uint8Array) => Buffer.concat([Buffer.of(0, bytes.length), bytes]);
  const pubArea = Buffer.concat([
    // ECC key, SHA-256, attributes, no policy, no symmetric algorithm, no scheme, P-256, no key derivation.
    hex('0023 000b 00040000 0000 0010 0010 0003 0010'),
    sized(publicKey.get(-2) as Uint8Array),
    sized(publicKey.get(-3) as Uint8Array),
  ]);
  const certInfo = Buffer.concat([
    // TPM_GENERATED_VALUE, TPM_ST_ATTEST_CERTIFY, no signer.
    hex('ff544347 8017 0000'),
    sized(sha256(signedData)),
    // The clock and the version of the firmware.
    hex('0000000000000000 11111111 22222222 33 0000000000000000'),
    sized(Buffer.concat([hex('000b'), sha256(pubArea)])),
    hex('0000'),
  ]);
  return [pubArea, certInfo];
}
