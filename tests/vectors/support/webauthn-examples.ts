import { createHash } from 'node:crypto';
import { encodeCBOR } from '@levischuck/tiny-cbor';
import { attestationObject, attestationStatement, type Format } from './attestations.ts';
import { hkdf } from './hkdf.ts';
import { ecdsaKeys, edwardsKeys, type Keys, mersenneRsaKeys } from './keys.ts';

/**
 * The examples of Web Authentication Level 3, section 16 ("Test Vectors"), derived as the section describes: all random
 * values are HKDF outputs, ECDSA uses the nonce of RFC 6979, and the RSA key has two Mersenne primes.
 * `webauthn-digests.json` contains the SHA-256 of the published values, so that a test shows that the derived bytes are
 * the published bytes.
 */
export interface Example {
  name: string;
  format: Format;
  keys: Keys;
  credentialId: Uint8Array;
  registration: {
    challenge: Uint8Array;
    clientDataJSON: Uint8Array;
    authenticatorData: Uint8Array;
    attestationObject: Uint8Array;
  };
  authentication: {
    challenge: Uint8Array;
    clientDataJSON: Uint8Array;
    authenticatorData: Uint8Array;
    signature: Uint8Array;
  };
}

interface Described {
  format: Format;
  algorithm: 'ES256' | 'ES384' | 'ES512' | 'RS256' | 'EdDSA' | 'Ed448';
  secretBytes?: number;
  challengeBytes?: number;
  credentialIdBytes?: number;
  clientData?: object;
}

/** The examples, in the order of the specification. The name is the `info` of HKDF. */
const described: Record<string, Described> = {
  'none.ES256': { format: 'none', algorithm: 'ES256' },
  'packed-self.ES256': { format: 'packed-self', algorithm: 'ES256' },
  'none.ES256.crossOrigin': { format: 'none', algorithm: 'ES256', clientData: { crossOrigin: true } },
  'none.ES256.topOrigin': {
    format: 'none',
    algorithm: 'ES256',
    clientData: { crossOrigin: true, topOrigin: 'https://example.com' },
  },
  'none.ES256.long-credential-id': { format: 'none', algorithm: 'ES256', credentialIdBytes: 1023 },
  'packed.ES256': { format: 'packed', algorithm: 'ES256' },
  'packed.ES384': { format: 'packed', algorithm: 'ES384', secretBytes: 48 },
  'packed.ES512': { format: 'packed', algorithm: 'ES512', secretBytes: 65, challengeBytes: 128 },
  'packed.RS256': { format: 'packed', algorithm: 'RS256', secretBytes: 0 },
  'packed.EdDSA': { format: 'packed', algorithm: 'EdDSA' },
  'packed.Ed448': { format: 'packed', algorithm: 'Ed448', secretBytes: 57 },
  'tpm.ES256': { format: 'tpm', algorithm: 'ES256' },
  'android-key.ES256': { format: 'android-key', algorithm: 'ES256' },
  'apple.ES256': { format: 'apple', algorithm: 'ES256' },
  'fido-u2f.ES256': { format: 'fido-u2f', algorithm: 'ES256' },
};

export const rpId = 'example.org';
export const origin = 'https://example.org';

/** The flags of authenticator data (WebAuthn 6.1). */
export const flag = { up: 0x01, uv: 0x04, be: 0x08, bs: 0x10, at: 0x40 } as const;

export const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();

function clientDataJSON(
  type: string,
  challenge: Uint8Array,
  more: object | undefined,
  random: Attesting['random'],
) {
  const [generated = 0] = random(1);
  return Buffer.from(
    JSON.stringify({
      type,
      challenge: Buffer.from(challenge).toString('base64url'),
      origin,
      crossOrigin: false,
      ...more,
      ...(generated & 1 && { extraData: `${extraDataText}${Buffer.from(random(16)).toString('base64url')}` }),
    }),
  );
}

const extraDataText = 'clientDataJSON may be extended with additional fields in the future, such as this: ';

interface Attesting {
  random(length: number): Uint8Array;
}

/** The flags byte. Without backup eligibility, the backup state is never set. */
function flagsOf(random: number, backupEligible: boolean): number {
  const flags = flag.up | (random & (flag.uv | flag.bs)) | (backupEligible ? flag.be : 0);
  return backupEligible ? flags : flags & ~flag.bs;
}

function keysOf({ algorithm, secretBytes = 32 }: Described, { random }: Attesting): Keys {
  if (algorithm === 'RS256') return mersenneRsaKeys();
  const secret = random(secretBytes);
  return algorithm === 'EdDSA' || algorithm === 'Ed448'
    ? edwardsKeys(algorithm, secret)
    : ecdsaKeys(algorithm, secret);
}

function derive(name: string, example: Described): Example {
  let salt = 0;
  const random = (length: number) => hkdf(name, salt++, length);
  const { format, challengeBytes = 32, credentialIdBytes = 32, clientData } = example;
  const rpIdHash = sha256(Buffer.from(rpId));
  const counter = Buffer.alloc(4);

  const challenge = random(challengeBytes);
  const keys = keysOf(example, { random });
  const created = clientDataJSON('webauthn.create', challenge, clientData, random);
  const aaguid = random(16);
  const credentialId = random(credentialIdBytes);
  // A U2F authenticator neither verifies users nor creates backups.
  const [flags = 0] = format === 'fido-u2f' ? [] : random(1);
  const backupEligible = (flags & flag.be) !== 0;
  const authenticatorData = Buffer.concat([
    rpIdHash,
    Buffer.of(flagsOf(flags, backupEligible) | flag.at),
    counter,
    aaguid,
    Buffer.of(credentialId.length >> 8, credentialId.length & 0xff),
    credentialId,
    encodeCBOR(keys.publicKey),
  ]);
  const clientDataHash = sha256(created);
  const attested = { keys, credentialId, authenticatorData, clientDataHash, random };
  const statement = attestationStatement(format, attested);
  const fmt = format === 'packed-self' ? 'packed' : format;

  const secondChallenge = random(challengeBytes);
  const got = clientDataJSON('webauthn.get', secondChallenge, clientData, random);
  const [secondFlags = 0] = random(1);
  const presented = Buffer.concat([rpIdHash, Buffer.of(flagsOf(secondFlags, backupEligible)), counter]);
  return {
    name,
    format,
    keys,
    credentialId,
    registration: {
      challenge,
      clientDataJSON: created,
      authenticatorData,
      attestationObject: attestationObject(fmt, statement, authenticatorData),
    },
    authentication: {
      challenge: secondChallenge,
      clientDataJSON: got,
      authenticatorData: presented,
      signature: keys.sign(Buffer.concat([presented, sha256(got)])),
    },
  };
}

export const examples: readonly Example[] = Object.entries(described).map(([name, example]) =>
  derive(name, example),
);
