import { decodeCBOR } from '@levischuck/tiny-cbor';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { createSealer as CreateSealer } from '../../src/core/sealing.ts';
import { expectNoLoggedErrors } from '../support/logged-errors.ts';
import type { TestService } from '../support/test-service.ts';
import { attestationObject, type Statement } from './support/attestations.ts';
import {
  addQuietly,
  base64url,
  changeClientData,
  flipBit,
  publishedRegistration,
  type Registration,
  resultOf,
  signUpWith,
  startExampleService,
  withoutAttestation,
} from './support/ceremonies.ts';
import { cases, registrationFailed, storedCases } from './support/expected-results.ts';
import { type Example, flag, sha256 } from './support/webauthn-examples.ts';

vi.mock('../../src/core/sealing.ts', async (importOriginal) => {
  const real = await importOriginal<{ createSealer: typeof CreateSealer }>();
  const { withPublishedChallenges } = await import('./support/published-challenges.ts');
  const createSealer: typeof CreateSealer = (secrets) => withPublishedChallenges(real.createSealer(secrets));
  return { ...real, createSealer };
});

let service: TestService;
beforeAll(async () => {
  service = await startExampleService();
});
afterAll(() => service.close());
afterEach(() => expectNoLoggedErrors(service));

const flagsAt = 32;
const credentialIdLengthAt = 53;
const credentialIdAt = 55;

const signUpResult = async (example: Example, registration: Registration) =>
  resultOf(service, (await signUpWith(service, example, registration)).answer);

/** What a registration contains before it is encoded. */
interface Parts {
  id: string;
  clientDataJSON: Uint8Array;
  authenticatorData: Uint8Array;
}
type Change = [name: string, change: (parts: Parts, example: Example) => Partial<Parts>, reason: string];

const withData = (members: object) => (parts: Parts) => ({
  clientDataJSON: changeClientData(parts.clientDataJSON, members),
});
const withFlags = (change: (flags: number) => number) => (parts: Parts) => {
  const authenticatorData = Uint8Array.from(parts.authenticatorData);
  authenticatorData[flagsAt] = change(authenticatorData[flagsAt] ?? 0);
  return { authenticatorData };
};

const changes: Change[] = [
  ['another type', withData({ type: 'webauthn.get' }), 'type_mismatch'],
  ['another challenge', withData({ challenge: 'AAAAAAAAAAAAAAAAAAAAAA' }), 'challenge_unknown'],
  ['another origin', withData({ origin: 'https://example.com' }), 'origin_mismatch'],
  ['a cross-origin iframe', withData({ crossOrigin: true }), 'cross_origin'],
  [
    'another RP ID',
    ({ authenticatorData }) => ({ authenticatorData: flipBit(authenticatorData, 0) }),
    'rp_id_mismatch',
  ],
  ['no user presence', withFlags((flags) => flags & ~flag.up), 'user_not_present'],
  ['no user verification', withFlags((flags) => flags & ~flag.uv), 'user_not_verified'],
  ['no AT flag', withFlags((flags) => flags & ~flag.at), 'verification_failed'],
  ['a backup state without backup eligibility', withFlags(backedUpOnly), 'verification_failed'],
  [
    'another id in the response',
    ({ id }) => ({ id: base64url(flipBit(Buffer.from(id, 'base64url'), 0)) }),
    'credential_id_mismatch',
  ],
  [
    'one byte less',
    ({ authenticatorData }) => ({ authenticatorData: authenticatorData.subarray(0, -1) }),
    'verification_failed',
  ],
  [
    'one byte more',
    ({ authenticatorData }) => ({ authenticatorData: Buffer.concat([authenticatorData, Buffer.of(0)]) }),
    'verification_failed',
  ],
];

function backedUpOnly(flags: number): number {
  return (flags & ~flag.be) | flag.bs;
}

/** The credential of an example, with user verification, so that only the change is wrong. */
function partsOf(example: Example): Parts {
  const { id, clientDataJSON } = withoutAttestation(example);
  const verified = withFlags((flags) => flags | flag.uv);
  const { authenticatorData } = example.registration;
  const parts = { id, clientDataJSON, authenticatorData };
  return { ...parts, ...verified(parts) };
}

/** Encodes a registration without attestation, or with self attestation by the key of the example. */
function encode(example: Example, { id, clientDataJSON, authenticatorData }: Parts): Registration {
  const isSelfAttested = example.format === 'packed-self';
  const statement: Statement = new Map();
  if (isSelfAttested) {
    const signature = example.keys.sign(Buffer.concat([authenticatorData, sha256(clientDataJSON)]));
    statement.set('alg', -7).set('sig', Uint8Array.from(signature));
  }
  return {
    id,
    clientDataJSON,
    attestationObject: attestationObject(isSelfAttested ? 'packed' : 'none', statement, authenticatorData),
  };
}

describe('a registration', () => {
  test.each(cases)(
    'of the example $name, as it is published, returns: $signUp',
    async ({ example, signUp }) => {
      const { answer } = await signUpWith(service, example, publishedRegistration(example));
      expect(await resultOf(service, answer)).toBe(signUp);
      if (answer.status === 201) expect(answer.body.passkey).toMatchObject(passkeyOf(example));
    },
  );

  test.each(cases.filter(({ quietly }) => quietly))(
    'of the example $name, by conditional create and without attestation, returns: $quietly',
    async ({ example, quietly }) => {
      const { answer } = await addQuietly(service, example, withoutAttestation(example));
      expect(await resultOf(service, answer)).toBe(quietly);
      if (answer.status === 201) expect(answer.body.device).toMatchObject(passkeyOf(example));
    },
  );
});

/** What the response shows of the authenticator data. */
function passkeyOf({ registration: { authenticatorData } }: Example) {
  const flags = authenticatorData[flagsAt] ?? 0;
  const aaguid = Buffer.from(authenticatorData.subarray(37, credentialIdLengthAt)).toString('hex');
  return {
    aaguid: aaguid.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
    backupEligible: (flags & flag.be) !== 0,
    backedUp: (flags & flag.bs) !== 0,
  };
}

describe.each(storedCases)('a registration of the example $name', ({ example }) => {
  const parts = partsOf(example);

  test('without a change is refused only because the passkey is already registered', async () => {
    const { answer } = await signUpWith(service, example, encode(example, parts));
    expect([answer.status, answer.body.code]).toEqual([409, 'passkey_already_registered']);
  });

  test.each(changes)('is refused with %s', async (_, change, reason) => {
    const changed = encode(example, { ...parts, ...change(parts, example) });
    expect(await signUpResult(example, changed)).toBe(registrationFailed(reason));
  });
});

const exampleNamed = (name: string): Example => {
  const found = cases.find((each) => each.name === name);
  if (!found) throw new Error(`no example ${name}`);
  return found.example;
};

test('a credential id of 1,024 bytes is refused as too long', async () => {
  const example = exampleNamed('none.ES256.long-credential-id');
  const { authenticatorData, ...others } = partsOf(example);
  const longer = Buffer.concat([
    authenticatorData.subarray(0, credentialIdLengthAt),
    Buffer.of(0x04, 0x00),
    authenticatorData.subarray(credentialIdAt, credentialIdAt + 1023),
    Buffer.of(0),
    authenticatorData.subarray(credentialIdAt + 1023),
  ]);
  const id = base64url(longer.subarray(credentialIdAt, credentialIdAt + 1024));
  const registration = encode(example, { ...others, id, authenticatorData: longer });
  expect(await signUpResult(example, registration)).toBe(registrationFailed('credential_id_too_long'));
});

const es256 = storedCases.filter(
  ({ example }) => example.keys.publicKey.get(3) === -7 && example.format !== 'packed-self',
);
test.each(es256)(
  'the public key of the example $name is refused if its point is not on the curve',
  async ({ example }) => {
    const parts = partsOf(example);
    const offCurve = { ...parts, authenticatorData: flipBit(parts.authenticatorData, -1) };
    expect(await signUpResult(example, encode(example, offCurve))).toBe(
      registrationFailed('public_key_unacceptable'),
    );
  },
);

describe('a self attestation', () => {
  const example = exampleNamed('packed-self.ES256');
  const { id, clientDataJSON, authenticatorData } = partsOf(example);
  const signature = Uint8Array.from(
    example.keys.sign(Buffer.concat([authenticatorData, sha256(clientDataJSON)])),
  );
  const attestedBy = (alg: number, sig: Uint8Array<ArrayBuffer>): Registration => {
    const statement: Statement = new Map<string, number | Uint8Array>([
      ['alg', alg],
      ['sig', sig],
    ]);
    return {
      id,
      clientDataJSON,
      attestationObject: attestationObject('packed', statement, authenticatorData),
    };
  };

  test.each<[string, Registration, string]>([
    ['another signature', attestedBy(-7, flipBit(signature, -1)), 'signature_invalid'],
    ['an empty signature', attestedBy(-7, new Uint8Array()), 'verification_failed'],
    ['the algorithm of another key', attestedBy(-257, signature), 'attestation_malformed'],
  ])('is refused with %s', async (_, registration, reason) => {
    expect(await signUpResult(example, registration)).toBe(registrationFailed(reason));
  });

  test('is refused if the key of a certificate signed it and the certificate was removed', async () => {
    const attested = exampleNamed('packed.ES256');
    const object = publishedRegistration(attested);
    const without = removeCertificates(object.attestationObject);
    expect(await signUpResult(attested, { ...object, attestationObject: without })).toBe(
      registrationFailed('signature_invalid'),
    );
  });
});

function removeCertificates(object: Uint8Array): Uint8Array {
  const decoded = decodeCBOR(object) as Map<string, Statement & Uint8Array>;
  const statement: Statement = new Map(decoded.get('attStmt'));
  statement.delete('x5c');
  return attestationObject('packed', statement, decoded.get('authData') ?? new Uint8Array());
}
