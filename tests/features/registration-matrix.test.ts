import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { decodeCBOR, encodeCBOR } from '@levischuck/tiny-cbor';
import {
  append,
  type CborMap,
  COSE,
  type CreateTampering,
  flipLastBit,
  indefiniteMap,
  nonMinimalMap,
  offCurve,
  type SoftwareAlgorithm,
  type SoftwareAuthenticator,
  truncateBy,
  withoutMember,
} from 'latchkey/testing';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, createAgent, type TestAgent } from '../support/agent.ts';
import { expectNoLoggedErrors } from '../support/logged-errors.ts';
import { logIn, newAuthenticator, newUsername, signUpStart } from '../support/person.ts';
import { problemOf } from '../support/problem.ts';
import { randomBytesOf } from '../support/random.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import {
  inside,
  type LooseCredential,
  malformedCredentials,
  unusualCredentials,
} from './support/credential-json.ts';
import {
  brokenAuthenticatorData,
  challengesNotOurs,
  credentialTypesNotOurs,
  crossOriginClientData,
  extensionsToCut,
  headersOfAnotherSite,
  originsAmongSeveral,
  originsNotOurs,
  rpIdsNotOurs,
  severalOrigins,
  typesOfNoCeremony,
  unreadableClientData,
  unusualClientData,
  withCounter,
  withListedChallenge,
} from './support/forgeries.ts';

const randomBytes = randomBytesOf('features/registration-matrix');

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
const keys: Record<SoftwareAlgorithm, KeyObject> = {
  ES256: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey,
  EdDSA: generateKeyPairSync('ed25519').privateKey,
  RS256: rsa,
  ES384: generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey,
  ES512: generateKeyPairSync('ec', { namedCurve: 'P-521' }).privateKey,
  RS1: rsa,
};

const bytesOf = (...bytes: number[]) => Uint8Array.from(bytes);

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());
afterEach(() => expectNoLoggedErrors(service));

interface Attempt {
  username: string;
  browser: TestAgent;
  answer: Answer;
  authenticator: SoftwareAuthenticator;
}

/** Signs up with a credential that `tamper` has changed. */
async function register(
  tamper: CreateTampering,
  { authenticator = newAuthenticator(), browser = service.browser() } = {},
): Promise<Attempt> {
  const username = newUsername();
  const credential = await authenticator.create(await signUpStart(browser, username), tamper);
  const answer = await browser.post('/auth/passkey/register/verify', { credential });
  return { username, browser, answer, authenticator };
}

async function expectRefused({ username, browser, answer }: Attempt, reason: string): Promise<void> {
  const { sql } = service.database;
  const rows = await sql`
    select event, outcome, actor_type, target_name, details from latchkey.audit_events
    where request_id = ${answer.headers.get('x-request-id')}`;
  // One comparison, so that a failure shows all values.
  expect({
    body: answer.body,
    audit: [...rows],
    cookie: browser.cookies.has('latchkey'),
    users: (await sql`select id from latchkey.users where username = ${username}`).length,
  }).toEqual({
    body: {
      ...problemOf('registration_failed'),
    },
    audit: [
      {
        event: 'account.signup',
        outcome: 'failure',
        actor_type: 'anonymous',
        target_name: reason === 'client_data_malformed' || reason === 'challenge_unknown' ? null : username,
        details: { reason },
      },
    ],
    cookie: false,
    users: 0,
  });
  expect(answer.status).toBe(400);
}

async function expectAccepted({ username, answer, authenticator }: Attempt): Promise<void> {
  expect([answer.status, answer.body.code]).toEqual([201, undefined]);
  expect(answer.body.user.username).toBe(username);
  const login = await logIn(service.browser(), authenticator);
  expect(login.body.user).toEqual(answer.body.user);
}

describe('client data', () => {
  test.each<[string, unknown]>([
    ['webauthn.get', 'webauthn.get'],
    ['WebAuthn.Create', 'WebAuthn.Create'],
    ...typesOfNoCeremony,
    ['a list', ['webauthn.create']],
  ])('is rejected when its type is %s', async (_, type) => {
    await expectRefused(await register({ clientData: { type } }), 'type_mismatch');
  });

  test.each(challengesNotOurs)('is rejected when its challenge is %s', async (_, challenge, reason = '') => {
    await expectRefused(await register({ clientData: { challenge } }), reason);
  });

  test('is rejected when its challenge is in a list', async () => {
    await expectRefused(await register({ clientData: withListedChallenge }), 'client_data_malformed');
  });

  test.each(originsNotOurs)('is rejected when its origin is %s', async (_, origin) => {
    await expectRefused(await register({ clientData: { origin } }), 'origin_mismatch');
  });

  test.each(headersOfAnotherSite)(
    'must contain the configured origin, even if the request has the headers %o',
    async (headers) => {
      const browser = service.browser();
      const spoofing: TestAgent = { ...browser, post: (path, body) => browser.post(path, body, headers) };
      const tamper = { clientData: { origin: 'https://evil.example' } };
      await expectRefused(await register(tamper, { browser: spoofing }), 'origin_mismatch');
    },
  );

  test.each(crossOriginClientData)('is rejected when %s', async (_, clientData) => {
    await expectRefused(await register({ clientData }), 'cross_origin');
  });

  test.each(unreadableClientData)('is rejected when it is %s', async (_, clientData) => {
    await expectRefused(await register({ clientData }), 'client_data_malformed');
  });

  test.each(unusualClientData)('is accepted with %s', async (_, clientData) => {
    await expectAccepted(await register({ clientData }));
  });
});

describe('if several origins are configured,', () => {
  const [first = ''] = severalOrigins.origins;
  let several: TestService;
  beforeAll(async () => {
    several = await startTestService(severalOrigins);
  });
  afterAll(() => several.close());

  test.each(originsAmongSeveral)('%s', async (_, origin, ours) => {
    const browser = createAgent(several.url, first);
    const { answer } = await register({}, { browser, authenticator: newAuthenticator({ origin }) });
    expect([answer.status, answer.body.code]).toEqual(ours ? [201, undefined] : [400, 'registration_failed']);
    expect(several.logged.filter(({ level }) => level === 'error')).toEqual([]);
  });
});

describe('authenticator data', () => {
  test.each(rpIdsNotOurs)('is rejected when its RP id is %s', async (_, rpId) => {
    await expectRefused(await register({ rpId }), 'rp_id_mismatch');
  });

  test('without the AT flag and without attested credential data is rejected', async () => {
    await expectRefused(await register({ attestedCredentialData: false }), 'verification_failed');
  });

  test.each([
    [false, false],
    [true, false],
    [true, true],
  ])('can have the flags BE=%s and BS=%s, and the service stores both flags', async (be, bs) => {
    const authenticator = newAuthenticator({ backupEligible: be, backedUp: bs });
    const attempt = await register({}, { authenticator });
    expect(attempt.answer.body.passkey).toMatchObject({ backupEligible: be, backedUp: bs });
    await expectAccepted(attempt);
  });

  test('can have the reserved bits set', async () => {
    await expectAccepted(await register({ flags: { rfu1: true, rfu2: true } }));
  });

  test('can contain known and unknown extensions', async () => {
    const extensionData: CborMap = new Map<string, number | boolean | Uint8Array>([
      ['credProtect', 2],
      ['hmac-secret', true],
      ['org.example.future', bytesOf(1, 2, 3)],
    ]);
    await expectAccepted(await register({ extensionData }));
  });

  test.each<[string, CreateTampering, string?]>([
    ...brokenAuthenticatorData,
    ['with a credential id length beyond its end', { authenticatorData: withIdLength(0xffff) }],
    ['with a credential id length that is too short', { authenticatorData: withIdLength(31) }],
    ['with a credential id length that includes part of the key', { authenticatorData: withIdLength(40) }],
  ])('%s is rejected', async (_, tamper, reason = 'verification_failed') => {
    await expectRefused(await register(tamper), reason);
  });

  test.each<SoftwareAlgorithm>(['ES256', 'EdDSA', 'RS256'])(
    'with an %s key is rejected when the data is truncated, at any length',
    async (algorithm) => {
      const key = keys[algorithm];
      let length = 0;
      const measure = (bytes: Uint8Array) => {
        length = bytes.length;
        return bytes;
      };
      await newAuthenticator().create(await signUpStart(service.browser()), {
        key,
        algorithm,
        authenticatorData: measure,
      });
      expect(length).toBeGreaterThan(120);
      const before = await service.database.sql`select count(*) from latchkey.users`;
      // All cuts inside the long RSA modulus have the same effect, so only some of these lengths are tested. The
      // bytes before the key are the same for each algorithm.
      const beforeKey = algorithm === 'ES256' ? 90 : 0;
      const cuts = Array.from({ length }, (_, at) => at + 1).filter(
        (cut) => cut <= 48 || cut >= length - beforeKey || cut % 16 === 0,
      );
      for (let from = 0; from < cuts.length; from += 24) {
        const attempts = await Promise.all(
          cuts.slice(from, from + 24).map(async (cut) => {
            const tamper = { key, algorithm, authenticatorData: truncateBy(cut) };
            return { cut, answer: (await register(tamper)).answer };
          }),
        );
        expect(attempts.filter(({ answer }) => answer.body.code !== 'registration_failed')).toEqual([]);
      }
      expect(await service.database.sql`select count(*) from latchkey.users`).toEqual(before);
    },
  );

  test('is rejected when its extensions are truncated, at any length', async () => {
    for (let cut = 1; cut <= encodeCBOR(extensionsToCut).length; cut += 1) {
      const attempt = await register({ extensionData: extensionsToCut, authenticatorData: truncateBy(cut) });
      expect([cut, attempt.answer.body.code]).toEqual([cut, 'registration_failed']);
    }
  });
});

describe('a passkey', () => {
  test.each<SoftwareAlgorithm>(['ES256', 'EdDSA', 'RS256'])(
    'with the algorithm %s can sign up and sign in',
    async (algorithm) => {
      await expectAccepted(await register({ key: keys[algorithm], algorithm }));
    },
  );

  test.each<SoftwareAlgorithm>(['ES384', 'ES512', 'RS1'])(
    'with the algorithm %s is rejected, because the service does not offer this algorithm',
    async (algorithm) => {
      await expectRefused(await register({ key: keys[algorithm], algorithm }), 'verification_failed');
    },
  );

  test.each<[string, number]>([
    ['PS256', -37],
    ['RS384', -258],
    ['RS512', -259],
    ['ES256K', -47],
    ['ML-DSA-44', -48],
    ['the reserved algorithm 0', 0],
    ['an unknown algorithm', 123_456],
  ])('with a valid key is rejected if the key names %s as its algorithm', async (_, alg) => {
    const tamper = { publicKey: (key: CborMap) => key.set(COSE.alg, alg) };
    await expectRefused(await register(tamper), 'verification_failed');
  });
});

describe('a public key:', () => {
  const es256 = (publicKey: NonNullable<CreateTampering['publicKey']>): CreateTampering => ({ publicKey });
  const eddsa = (publicKey: NonNullable<CreateTampering['publicKey']>): CreateTampering => ({
    key: keys.EdDSA,
    algorithm: 'EdDSA',
    publicKey,
  });
  const rs256 = (publicKey: NonNullable<CreateTampering['publicKey']>): CreateTampering => ({
    key: keys.RS256,
    algorithm: 'RS256',
    publicKey,
  });
  const set = (member: number, value: number | string | boolean | Uint8Array) => (key: CborMap) =>
    key.set(member, value);
  const ec = (namedCurve: string) => generateKeyPairSync('ec', { namedCurve }).privateKey;

  test.each<[string, CreateTampering]>([
    ['P-384 under ES256', { key: ec('P-384'), algorithm: 'ES256' }],
    ['P-521 under ES256', { key: ec('P-521'), algorithm: 'ES256' }],
    ['secp256k1 under ES256', { key: ec('secp256k1'), algorithm: 'ES256' }],
    ['Ed25519 under ES256', { key: keys.EdDSA, algorithm: 'ES256' }],
    ['RSA under ES256', { key: keys.RS256, algorithm: 'ES256' }],
    ['P-256 under EdDSA', { key: keys.ES256, algorithm: 'EdDSA' }],
    ['Ed448 under EdDSA', { key: generateKeyPairSync('ed448').privateKey, algorithm: 'EdDSA' }],
    ['RSA under EdDSA', { key: keys.RS256, algorithm: 'EdDSA' }],
    ['P-256 under RS256', { key: keys.ES256, algorithm: 'RS256' }],
    ['Ed25519 under RS256', { key: keys.EdDSA, algorithm: 'RS256' }],
    ['ES256 with the key type of EdDSA', es256(set(COSE.kty, 1))],
    ['ES256 with the key type of RSA', es256(set(COSE.kty, 3))],
    ['ES256 with a symmetric key type', es256(set(COSE.kty, 4))],
    ['ES256 with a text as the key type', es256(set(COSE.kty, 'EC2'))],
    ['ES256 with the curve P-384', es256(set(COSE.crv, 2))],
    ['ES256 with the curve Ed25519', es256(set(COSE.crv, 6))],
    ['ES256 with an unknown curve', es256(set(COSE.crv, 99))],
    ['ES256 without a key type', es256(withoutMember(COSE.kty))],
    ['ES256 without a curve', es256(withoutMember(COSE.crv))],
    ['ES256 without x', es256(withoutMember(COSE.x))],
    ['ES256 without y', es256(withoutMember(COSE.y))],
    ['ES256 with a point that is not on the curve', es256(offCurve)],
    [
      'ES256 with the point at infinity',
      es256((key) => key.set(COSE.x, new Uint8Array(32)).set(COSE.y, new Uint8Array(32))),
    ],
    [
      'EdDSA with a point that is not on the curve',
      eddsa(set(COSE.x, Uint8Array.of(2, ...new Uint8Array(31)))),
    ],
    ['EdDSA with the neutral point', eddsa(set(COSE.x, Uint8Array.of(1, ...new Uint8Array(31))))],
    ['EdDSA with a point of order four', eddsa(set(COSE.x, new Uint8Array(32)))],
    [
      'EdDSA with an x that is not less than the prime of the field',
      eddsa(set(COSE.x, new Uint8Array(32).fill(0xff))),
    ],
    [
      'ES256 with an x that is not less than the prime of the field',
      es256(set(COSE.x, new Uint8Array(32).fill(0xff))),
    ],
    [
      'ES256 with an x that is one byte short',
      es256((key) => key.set(COSE.x, (key.get(COSE.x) as Uint8Array).slice(1))),
    ],
    [
      'ES256 with a leading zero in x',
      es256((key) => key.set(COSE.x, Buffer.concat([bytesOf(0), key.get(COSE.x) as Uint8Array]))),
    ],
    ['ES256 with an empty y', es256(set(COSE.y, bytesOf()))],
    ['ES256 with a compressed point', es256(set(COSE.y, true))],
    ['ES256 with a text as x', es256(set(COSE.x, 'x'.repeat(32)))],
    ['EdDSA with the curve X25519', eddsa(set(COSE.crv, 4))],
    ['EdDSA with the curve P-256', eddsa(set(COSE.crv, 1))],
    ['EdDSA with the key type of ES256', eddsa(set(COSE.kty, 2))],
    ['EdDSA without x', eddsa(withoutMember(COSE.x))],
    ['EdDSA with an x that is one byte short', eddsa(set(COSE.x, new Uint8Array(31).fill(1)))],
    ['EdDSA with an x that is one byte too long', eddsa(set(COSE.x, new Uint8Array(33).fill(1)))],
    ['RSA of 512 bits', rs256(set(COSE.n, modulus(512)))],
    ['RSA of 1024 bits', rs256(set(COSE.n, modulus(1024)))],
    ['RSA of 2047 bits', rs256(set(COSE.n, modulus(2047)))],
    [
      'RSA of 1024 bits, padded with zeros to 2048 bits',
      rs256(set(COSE.n, Buffer.concat([Buffer.alloc(128), modulus(1024)]))),
    ],
    ['RSA of 8193 bits', rs256(set(COSE.n, modulus(8193)))],
    ['RSA of 65536 bits', rs256(set(COSE.n, modulus(65_536)))],
    ['RSA without a modulus', rs256(withoutMember(COSE.n))],
    ['RSA with an empty modulus', rs256(set(COSE.n, bytesOf()))],
    ['RSA without an exponent', rs256(withoutMember(COSE.e))],
    ['RSA with an empty exponent', rs256(set(COSE.e, bytesOf()))],
    ['RSA with the exponent zero', rs256(set(COSE.e, bytesOf(0)))],
    ['RSA with the exponent one', rs256(set(COSE.e, bytesOf(1)))],
    ['RSA with an even exponent', rs256(set(COSE.e, bytesOf(1, 0, 0)))],
    ['RSA with an exponent that is not a byte string', rs256(set(COSE.e, 65_537))],
    [
      'ES256 with another member, so that the key has more than 2,048 bytes',
      es256(set(-9, new Uint8Array(2000))),
    ],
  ])('%s is rejected', async (_, tamper) => {
    await expectRefused(await register(tamper), 'public_key_unacceptable');
  });

  test.each<[string, CreateTampering]>([
    ['without an algorithm', es256(withoutMember(COSE.alg))],
    ['with a text as the algorithm', es256(set(COSE.alg, 'ES256'))],
    ['that is an empty map', es256(() => new Map())],
    ['that is a list', es256(() => bytesOf(0x81, 0x01))],
    ['that is a number', es256(() => bytesOf(0x01))],
    ['that is null', es256(() => bytesOf(0xf6))],
    ['that is not CBOR', es256(() => bytesOf(0xff))],
    ['that is missing', es256(() => bytesOf())],
    ['with a duplicate label', es256((key) => twice(encodeCBOR(key)))],
    ['with a map whose length is not minimally encoded', es256((key) => nonMinimalMap(encodeCBOR(key)))],
    ['with a map of indefinite length', es256((key) => indefiniteMap(encodeCBOR(key)))],
    ['with 20,000 nested lists', es256(() => new Uint8Array(20_000).fill(0x81))],
    ['with a list of four billion items', es256(() => bytesOf(0x9a, 0xff, 0xff, 0xff, 0xff))],
    [
      'with a text whose declared length is larger than any memory',
      es256(() => bytesOf(0x7b, 0, 0x1f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff)),
    ],
  ])('a key %s is rejected', async (_, tamper) => {
    await expectRefused(await register(tamper), 'verification_failed');
  });

  test.each([
    [2048, [1, 0, 1]],
    [3072, [3]],
    [8192, [1, 0, 1]],
  ])('RSA of %i bits with the exponent %j is accepted', async (bits, exponent) => {
    const publicKey = (key: CborMap) => key.set(COSE.n, modulus(bits)).set(COSE.e, bytesOf(...exponent));
    expect((await register(rs256(publicKey))).answer.status).toBe(201);
  });

  test('a key with an unknown label is accepted', async () => {
    await expectAccepted(await register(es256((key) => key.set(-70_000, 'future'))));
  });
});

describe('the credential id', () => {
  test.each([1, 16, 255, 256, 1023])('can have %i bytes', async (length) => {
    const credentialId = randomBytes(length);
    await expectAccepted(await register({ credentialId }));
  });

  test.each([1024, 4096])('cannot have %i bytes', async (length) => {
    const tamper = { credentialId: new Uint8Array(length).fill(7) };
    await expectRefused(await register(tamper), 'credential_id_too_long');
  });

  test('cannot be empty', async () => {
    const { answer } = await register({ credentialId: bytesOf() });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ code: 'invalid_request', errors: [{ path: 'credential.id' }] });
    await expectRefused(await register({ credentialId: bytesOf(), id: 'AAAA' }), 'credential_id_mismatch');
  });

  test.each<[string, CreateTampering, string]>([
    [
      '`id` and `rawId` are the id of another credential',
      { id: 'c29tZW9uZSBlbHNl' },
      'credential_id_mismatch',
    ],
    [
      'only `id` is the id of another credential',
      { id: 'c29tZW9uZSBlbHNl', rawId: 'AAAA' },
      'verification_failed',
    ],
    ['only `rawId` is the id of another credential', { rawId: 'c29tZW9uZSBlbHNl' }, 'verification_failed'],
    ['`rawId` is empty', { rawId: '' }, 'verification_failed'],
    [
      '`id` is another base64url spelling of the same bytes',
      { credentialId: bytesOf(0), id: 'AB' },
      'credential_id_mismatch',
    ],
    [
      '`id` contains only some of the bytes',
      { credentialId: bytesOf(0, 0, 0, 0, 0, 0), id: 'AAAA' },
      'credential_id_mismatch',
    ],
  ])('is rejected if %s', async (_, tamper, reason) => {
    await expectRefused(await register(tamper), reason);
  });

  test('of a rejected sign-up can still be used by another authenticator', async () => {
    const claimed = Buffer.from('a credential id of another user').toString('base64url');
    await expectRefused(await register({ id: claimed }), 'credential_id_mismatch');
    const credentialId = new Uint8Array(Buffer.from(claimed, 'base64url'));
    await expectAccepted(await register({ credentialId }));
  });

  test.each(credentialTypesNotOurs)('is rejected when the type of the credential is “%s”', async (type) => {
    await expectRefused(await register({ type }), 'verification_failed');
  });
});

describe('an attestation', () => {
  const attesting = (algorithm: SoftwareAlgorithm = 'ES256') =>
    newAuthenticator({ attestation: 'packed-self', algorithm });

  test.each<SoftwareAlgorithm>(['ES256', 'EdDSA', 'RS256'])(
    'signed by the passkey itself with %s is accepted',
    async (algorithm) => {
      await expectAccepted(
        await register({ key: keys[algorithm], algorithm }, { authenticator: attesting() }),
      );
    },
  );

  test.each<[string, CreateTampering, string?]>([
    [
      'the last bit of its signature is flipped',
      { afterSigning: { signature: flipLastBit } },
      'signature_invalid',
    ],
    ['its signature is empty', { afterSigning: { signature: () => bytesOf() } }],
    [
      'its counter was changed after signing',
      { afterSigning: { authenticatorData: withCounter(7) } },
      'signature_invalid',
    ],
    [
      'the client data was changed after signing',
      { afterSigning: { clientDataJSON: (json) => Buffer.concat([json, Buffer.from(' ')]) } },
      'signature_invalid',
    ],
    ['it has no signature', { attStmt: without('sig') }],
    ['its signature is a text', { attStmt: (statement) => statement.set('sig', 'signed') }],
    ['it has no algorithm', { attStmt: without('alg') }],
    ['its algorithm is unknown', { attStmt: (statement) => statement.set('alg', 123_456) }],
    [
      'another key signed it',
      { attStmt: (statement, data) => statement.set('sig', signed('sha256', data, keys.ES384)) },
    ],
    ['it is empty', { attStmt: () => new Map() }],
  ])(
    'that claims to be signed by the passkey itself is rejected if %s',
    async (_, tamper, reason = 'verification_failed') => {
      const attempt = await register(tamper, { authenticator: attesting() });
      await expectRefused(attempt, reason);
    },
  );

  test('signed by the passkey itself is rejected if the attestation and the key name different algorithms', async () => {
    const key = keys.ES256;
    const attStmt = (statement: CborMap, data: Uint8Array) =>
      statement.set('alg', -35).set('sig', signed('sha384', data, key));
    const attempt = await register({ key, attStmt }, { authenticator: attesting() });
    await expectRefused(attempt, 'attestation_malformed');
  });

  test.each<[string, CborMap]>([
    ['a certificate', new Map([['x5c', [bytesOf(0x30, 0x00)]]])],
    ['an empty list of certificates', new Map([['x5c', []]])],
    ['null instead of certificates', new Map([['x5c', null]])],
  ])('with %s is rejected, because the service did not request an attestation', async (_, more) => {
    const attStmt = (statement: CborMap) => new Map([...statement, ...more]);
    const attempt = await register({ attStmt }, { authenticator: attesting() });
    await expectRefused(attempt, 'attestation_not_asked_for');
  });

  test.each([
    'tpm',
    'android-key',
    'android-safetynet',
    'fido-u2f',
    'apple',
    'compound',
    'None',
    'packed ',
    'unheard-of',
    '',
  ])('in the format “%s” is rejected, because the service did not request an attestation', async (fmt) => {
    await expectRefused(await register({ fmt }), 'attestation_not_asked_for');
    const attempt = await register({ fmt }, { authenticator: attesting() });
    await expectRefused(attempt, 'attestation_not_asked_for');
  });

  test('in the format “none” is rejected if its statement is not empty', async () => {
    const attStmt = () => new Map([['sig', bytesOf(1)]]);
    await expectRefused(await register({ attStmt }), 'verification_failed');
  });

  const rebuilt = (change: (object: CborMap) => CborMap): CreateTampering => ({
    afterSigning: {
      attestationObject: (bytes) => encodeCBOR(change(decodeCBOR(new Uint8Array(bytes)) as CborMap)),
    },
  });
  const replaced = (...bytes: number[]): CreateTampering => ({
    afterSigning: { attestationObject: () => bytesOf(...bytes) },
  });

  test.each<[string, CreateTampering]>([
    ['is empty', replaced()],
    ['is not CBOR', replaced(0xff)],
    ['is a list', replaced(0x80)],
    ['is a number', replaced(0x00)],
    ['is a text', replaced(0x61, 0x78)],
    ['is a map whose entries are missing', replaced(0xa3)],
    ['is followed by another byte', { afterSigning: { attestationObject: append(0) } }],
    [
      'is followed by a copy of itself',
      { afterSigning: { attestationObject: (bytes) => Buffer.concat([bytes, bytes]) } },
    ],
    ['lacks its last byte', { afterSigning: { attestationObject: truncateBy(1) } }],
    ['lacks its last 80 bytes', { afterSigning: { attestationObject: truncateBy(80) } }],
    [
      'is a map whose length is not minimally encoded',
      { afterSigning: { attestationObject: nonMinimalMap } },
    ],
    ['is a map of indefinite length', { afterSigning: { attestationObject: indefiniteMap } }],
    ['is a map with a duplicate key', { afterSigning: { attestationObject: twice } }],
    [
      'consists of 40,000 nested lists',
      { afterSigning: { attestationObject: () => new Uint8Array(40_000).fill(0x81) } },
    ],
    ['is a list that declares four billion items', replaced(0x9a, 0xff, 0xff, 0xff, 0xff)],
    [
      'is a text whose declared length is larger than any memory',
      replaced(0x7b, 0, 0x1f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff),
    ],
    ['has no statement', rebuilt(without('attStmt'))],
    ['has a list as its statement', rebuilt((object) => object.set('attStmt', []))],
    ['has a text as its statement', rebuilt((object) => object.set('attStmt', 'none'))],
    ['has a number as its statement', rebuilt((object) => object.set('attStmt', 0))],
    ['has null as its statement', rebuilt((object) => object.set('attStmt', null))],
  ])('is rejected if the attestation object %s', async (_, tamper) => {
    await expectRefused(await register(tamper), 'attestation_malformed');
  });

  test.each<[string, CreateTampering, string]>([
    ['has no format', rebuilt(without('fmt')), 'attestation_not_asked_for'],
    ['has a number as its format', rebuilt((object) => object.set('fmt', 0)), 'attestation_not_asked_for'],
    ['has no authenticator data', rebuilt(without('authData')), 'verification_failed'],
    [
      'has a text as its authenticator data',
      rebuilt((object) => object.set('authData', 'x'.repeat(200))),
      'verification_failed',
    ],
    [
      'has a list as its authenticator data',
      rebuilt((object) => object.set('authData', [])),
      'verification_failed',
    ],
    [
      'has null as its authenticator data',
      rebuilt((object) => object.set('authData', null)),
      'verification_failed',
    ],
  ])('is rejected if the attestation object %s', async (_, tamper, reason) => {
    await expectRefused(await register(tamper), reason);
  });

  test('is accepted if the attestation object has unknown keys, in any order', async () => {
    const attempt = await register(
      rebuilt((object) => new Map([['future', 1] as const, ...[...object].reverse()])),
    );
    await expectAccepted(attempt);
  });
});

describe('the JSON of a registration', () => {
  async function verify(change: (credential: LooseCredential) => unknown): Promise<Answer> {
    const browser = service.browser();
    const credential = await newAuthenticator().create(await signUpStart(browser));
    const changed = change(credential as unknown as LooseCredential);
    return browser.post('/auth/passkey/register/verify', { credential: changed });
  }

  test.each<[string, (credential: LooseCredential) => unknown, string]>([
    ...malformedCredentials,
    [
      'no attestation object',
      inside({ attestationObject: undefined }),
      'credential.response.attestationObject',
    ],
    [
      'a list as its attestation object',
      inside({ attestationObject: [0] }),
      'credential.response.attestationObject',
    ],
    [
      'a line break in its attestation object',
      inside({ attestationObject: 'AA\n' }),
      'credential.response.attestationObject',
    ],
    ['a string as its transports', inside({ transports: 'usb' }), 'credential.response.transports'],
    ['null as its transports', inside({ transports: null }), 'credential.response.transports'],
    ['a list of numbers as its transports', inside({ transports: [1] }), 'credential.response.transports.0'],
    ['an invalid transport', inside({ transports: ['usb', '<script>'] }), 'credential.response.transports.1'],
    [
      'a hundred transports',
      inside({ transports: Array(100).fill('usb') }),
      'credential.response.transports',
    ],
  ])('with %s is rejected as malformed', async (_, change, path) => {
    const answer = await verify(change);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ code: 'invalid_request', status: 400 });
    expect(answer.body.errors[0]).toEqual({ path, message: expect.any(String) });
    expect(await auditRowsOf(answer)).toEqual([]);
  });

  test.each<[string, (credential: LooseCredential) => unknown]>([
    ...unusualCredentials,
    [
      'only the required properties in its response',
      inside({ authenticatorData: undefined, publicKey: undefined, publicKeyAlgorithm: undefined }),
    ],
    [
      'wrong copies of values that are also in the attestation object',
      inside({ authenticatorData: 'AAAA', publicKey: 'AAAA', publicKeyAlgorithm: 0 }),
    ],
    ['no transports', inside({ transports: undefined })],
    ['an unknown transport', inside({ transports: ['telepathy'] })],
  ])('is accepted with %s', async (_, change) => {
    expect((await verify(change)).status).toBe(201);
  });
});

const auditRowsOf = (answer: Answer) =>
  service.database.sql`
    select details from latchkey.audit_events where request_id = ${answer.headers.get('x-request-id')}`;

/** Overwrites the length of the credential id in attested credential data. */
function withIdLength(length: number): (bytes: Uint8Array) => Uint8Array {
  return (bytes) => {
    const changed = Buffer.from(bytes);
    changed.writeUInt16BE(length, 53);
    return changed;
  };
}

/** Repeats the first entry of a CBOR map at the end of the map. */
function twice(cbor: Uint8Array): Uint8Array {
  const [first] = decodeCBOR(new Uint8Array(cbor)) as CborMap;
  const [key, value] = first ?? [];
  return Buffer.concat([bytesOf((cbor[0] ?? 0) + 1), cbor.subarray(1), encodeCBOR(key), encodeCBOR(value)]);
}

/** A random odd number of exactly `bits` bits, like an RSA modulus. */
function modulus(bits: number): Uint8Array {
  const bytes = randomBytes(Math.ceil(bits / 8));
  const highest = (bits - 1) % 8;
  bytes[0] = ((bytes[0] ?? 0) & ((1 << highest) - 1)) | (1 << highest);
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) | 1;
  return bytes;
}

function without(member: string): (map: CborMap) => CborMap {
  return (map) => new Map([...map].filter(([name]) => name !== member));
}

function signed(digest: string, data: Uint8Array, key: KeyObject): Uint8Array {
  return new Uint8Array(sign(digest, data, key));
}
