import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { encodeCBOR } from '@levischuck/tiny-cbor';
import {
  append,
  type CborMap,
  flipLastBit,
  type GetTampering,
  rawEcdsaSignature,
  type SoftwareAlgorithm,
  type SoftwareAuthenticatorOptions,
  truncateBy,
} from 'latchkey/testing';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, createAgent, type TestAgent } from '../support/agent.ts';
import { expectNoLoggedErrors } from '../support/logged-errors.ts';
import { logIn, newAuthenticator, newUsername, type Person, signUp, signUpStart } from '../support/person.ts';
import { problemOf } from '../support/problem.ts';
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

const verifyPath = '/auth/passkey/login/verify';
const bytesOf = (...bytes: number[]) => Uint8Array.from(bytes);

const keys: Partial<Record<SoftwareAlgorithm, KeyObject>> = {
  ES256: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey,
  EdDSA: generateKeyPairSync('ed25519').privateKey,
  RS256: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey,
};

let service: TestService;
/** Every forgery targets this user. The last test checks that the user can still sign in. */
let person: Person;
beforeAll(async () => {
  service = await startTestService();
  person = await signUp(service);
});
afterAll(() => service.close());
afterEach(() => expectNoLoggedErrors(service));

const sessionsOf = async ({ signedUp }: Person): Promise<number> =>
  (await service.database.sql`select id from latchkey.sessions where user_id = ${signedUp.body.user.id}`)
    .length;

const auditRowsOf = (answer: Answer) =>
  service.database.sql`
    select event, outcome, actor_type, details from latchkey.audit_events
    where request_id = ${answer.headers.get('x-request-id')}`;

/** Audit reasons that the response also shows, because the caller sent the user handle of an existing account. */
const reasonsInResponse: Record<string, string> = { credential_unknown: 'unknown_credential' };

async function expectRefused(answer: Answer, reason: string, who = person, sessions = 1): Promise<void> {
  expect({
    status: answer.status,
    body: answer.body,
    cookies: answer.headers.getSetCookie(),
    audit: [...(await auditRowsOf(answer))],
    sessions: await sessionsOf(who),
  }).toEqual({
    status: 401,
    body: {
      ...problemOf('authentication_failed'),
      ...(reasonsInResponse[reason] && { reason: reasonsInResponse[reason] }),
    },
    cookies: [],
    audit: [{ event: 'passkey.login', outcome: 'failure', actor_type: 'anonymous', details: { reason } }],
    sessions,
  });
}

/** Tries one forgery with and without a username. Expects that both are rejected for the same reason. */
async function refuses(tamper: GetTampering, reason: string): Promise<void> {
  for (const username of [undefined, person.username]) {
    await expectRefused(await logIn(service.browser(), person.authenticator, { username, tamper }), reason);
  }
}

/** Signs in a new user with unusual but valid data, and expects success. */
async function accepts(tamper: GetTampering, options: Partial<SoftwareAuthenticatorOptions> = {}) {
  const user = await signUp(service, { authenticator: newAuthenticator(options) });
  const answer = await logIn(service.browser(), user.authenticator, { tamper });
  expect([answer.status, answer.body.code]).toEqual([200, undefined]);
  expect(answer.body.user).toEqual(user.signedUp.body.user);
}

/** Signs up a user whose passkey has this algorithm. */
async function personWith(algorithm: SoftwareAlgorithm): Promise<Person> {
  const browser = service.browser();
  const authenticator = newAuthenticator({ algorithm });
  const username = newUsername();
  const key = keys[algorithm];
  const options = await signUpStart(browser, username);
  const credential = await authenticator.create(options, key ? { key } : {});
  const signedUp = await browser.post('/auth/passkey/register/verify', { credential });
  expect(signedUp.status).toBe(201);
  return { username, browser, authenticator, signedUp };
}

describe('client data', () => {
  test.each<[string, unknown]>([
    ['webauthn.create', 'webauthn.create'],
    ['WebAuthn.Get', 'WebAuthn.Get'],
    ...typesOfNoCeremony,
    ['a list', ['webauthn.get']],
  ])('is rejected when its type is %s', async (_, type) => {
    await refuses({ clientData: { type } }, 'type_mismatch');
  });

  test.each(challengesNotOurs)('is rejected when its challenge is %s', async (_, challenge, reason = '') => {
    await refuses({ clientData: { challenge } }, reason);
  });

  test('is rejected when its challenge is in a list', async () => {
    await refuses({ clientData: withListedChallenge }, 'client_data_malformed');
  });

  test.each(originsNotOurs)('is rejected when its origin is %s', async (_, origin) => {
    await refuses({ clientData: { origin } }, 'origin_mismatch');
  });

  test.each(headersOfAnotherSite)(
    'is rejected when its origin is another site, even if the request has the headers %o',
    async (headers) => {
      const browser = service.browser();
      const spoofing: TestAgent = { ...browser, post: (path, body) => browser.post(path, body, headers) };
      const tamper = { clientData: { origin: 'https://evil.example' } };
      await expectRefused(await logIn(spoofing, person.authenticator, { tamper }), 'origin_mismatch');
    },
  );

  test.each(crossOriginClientData)('is rejected when %s', async (_, clientData) => {
    await refuses({ clientData }, 'cross_origin');
  });

  test.each(unreadableClientData)('is rejected when it is %s', async (_, clientData) => {
    await refuses({ clientData }, 'client_data_malformed');
  });

  test.each(unusualClientData)('is accepted with %s', async (_, clientData) => {
    await accepts({ clientData });
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
    const authenticator = newAuthenticator({ origin: first });
    const username = newUsername();
    const credential = await authenticator.create(await signUpStart(browser, username));
    expect((await browser.post('/auth/passkey/register/verify', { credential })).status).toBe(201);
    const answer = await logIn(createAgent(several.url, first), authenticator, {
      tamper: { clientData: { origin } },
    });
    expect(answer.status).toBe(ours ? 200 : 401);
    expect(several.logged.filter(({ level }) => level === 'error')).toEqual([]);
  });
});

describe('authenticator data', () => {
  test.each(rpIdsNotOurs)('is rejected when its RP id is %s', async (_, rpId) => {
    await refuses({ rpId }, 'rp_id_mismatch');
  });

  // BE is the flag for “backup eligible”, BS for “backed up”.
  test.each([
    [true, false, false],
    [false, true, true],
    [false, true, false],
  ])(
    'of a passkey created with BE=%s is rejected when the data has BE=%s and BS=%s',
    async (registered, be, bs) => {
      const authenticator = newAuthenticator({ backupEligible: registered });
      const user = await signUp(service, { authenticator });
      const answer = await logIn(service.browser(), authenticator, { tamper: { flags: { be, bs } } });
      await expectRefused(answer, 'backup_eligibility_changed', user);
    },
  );

  test('can change whether a passkey is backed up, and the new state is stored', async () => {
    const authenticator = newAuthenticator({ backupEligible: true, backedUp: false });
    const { browser } = await signUp(service, { authenticator });
    const backedUp = async () => (await browser.get('/auth/passkey/devices')).body.devices[0].backedUp;
    expect(await backedUp()).toBe(false);
    for (const bs of [true, false]) {
      expect((await logIn(browser, authenticator, { tamper: { flags: { bs } } })).status).toBe(200);
      expect(await backedUp()).toBe(bs);
    }
  });

  test('with the reserved flags set is accepted', async () => {
    await accepts({ flags: { rfu1: true, rfu2: true } });
  });

  test('with known and unknown extensions is accepted', async () => {
    const extensionData: CborMap = new Map<string, number | boolean | Uint8Array>([
      ['uvm', true],
      ['org.example.future', bytesOf(1, 2, 3)],
    ]);
    await accepts({ extensionData });
  });

  test.each<[string, GetTampering, string?]>([
    ...brokenAuthenticatorData,
    [
      'that is changed after signing',
      { afterSigning: { authenticatorData: withCounter(9) } },
      'signature_invalid',
    ],
  ])('%s is rejected', async (_, tamper, reason = 'verification_failed') => {
    await refuses(tamper, reason);
  });

  test('is rejected when it is truncated at any byte', async () => {
    for (let cut = 1; cut <= 37; cut += 1) {
      const tamper = { authenticatorData: truncateBy(cut) };
      const answer = await logIn(service.browser(), person.authenticator, { tamper });
      expect([cut, answer.status, answer.body.code]).toEqual([cut, 401, 'authentication_failed']);
    }
    expect(await sessionsOf(person)).toBe(1);
  });

  test('is rejected when its extensions are truncated at any byte', async () => {
    for (let cut = 1; cut <= encodeCBOR(extensionsToCut).length; cut += 1) {
      const tamper = { extensionData: extensionsToCut, authenticatorData: truncateBy(cut) };
      const answer = await logIn(service.browser(), person.authenticator, { tamper });
      expect([cut, answer.status, answer.body.code]).toEqual([cut, 401, 'authentication_failed']);
    }
    expect(await sessionsOf(person)).toBe(1);
  });
});

describe('the signature', () => {
  const zeros = (length: number) => () => new Uint8Array(length);
  /** SimpleWebAuthn throws the same error for malformed DER as for other malformed data. */
  const invalid: string = expect.stringMatching(/^(signature_invalid|verification_failed)$/);

  describe.each<SoftwareAlgorithm>(['ES256', 'EdDSA', 'RS256'])('of %s', (algorithm) => {
    let owner: Person;
    beforeAll(async () => {
      owner = await personWith(algorithm);
    });

    test.each<[string, NonNullable<GetTampering['afterSigning']>]>([
      ['empty', { signature: () => bytesOf() }],
      ['a single zero byte', { signature: zeros(1) }],
      ['all zeros', { signature: (signature) => new Uint8Array(signature.length) }],
      ['all 0xff bytes', { signature: (signature) => new Uint8Array(signature.length).fill(0xff) }],
      ['changed in its last bit', { signature: flipLastBit }],
      [
        'changed in its first byte',
        { signature: (signature) => Uint8Array.from(signature).fill((signature[0] ?? 0) ^ 1, 0, 1) },
      ],
      ['without its last byte', { signature: truncateBy(1) }],
      ['without its first byte', { signature: (signature) => signature.slice(1) }],
      ['followed by another byte', { signature: append(0) }],
      ['without its last 32 bytes', { signature: truncateBy(32) }],
      ['the valid signature twice', { signature: (signature) => Buffer.concat([signature, signature]) }],
      ['64 zero bytes', { signature: zeros(64) }],
      ['30,000 zero bytes', { signature: zeros(30_000) }],
      [
        'created for other client data',
        { clientDataJSON: (json) => Buffer.concat([json, Buffer.from(' ')]) },
      ],
    ])('is rejected when it is %s', async (_, afterSigning) => {
      const answer = await logIn(service.browser(), owner.authenticator, { tamper: { afterSigning } });
      await expectRefused(answer, invalid, owner);
    });

    test('is rejected when another key with the same algorithm created it', async () => {
      const browser = service.browser();
      const { options } = (await browser.post('/auth/passkey/login/start', {})).body;
      const credential = await owner.authenticator.get(options);
      const stranger = newAuthenticator({ algorithm });
      await stranger.create(await signUpStart(service.browser()));
      const { response } = await stranger.get(options);
      const answer = await browser.post(verifyPath, {
        credential: { ...credential, response: { ...credential.response, signature: response.signature } },
      });
      await expectRefused(answer, 'signature_invalid', owner);
    });

    test('is accepted when valid', async () => {
      expect((await logIn(service.browser(), owner.authenticator)).status).toBe(200);
    });
  });

  test.each<[string, (signature: Uint8Array) => Uint8Array]>([
    ['r and s without DER', rawEcdsaSignature],
    ['a sequence of two zeros', () => bytesOf(0x30, 0x06, 0x02, 0x01, 0x00, 0x02, 0x01, 0x00)],
    ['a sequence of two ones', () => bytesOf(0x30, 0x06, 0x02, 0x01, 0x01, 0x02, 0x01, 0x01)],
    ['an empty sequence', () => bytesOf(0x30, 0x00)],
    ['a sequence of one number', () => bytesOf(0x30, 0x03, 0x02, 0x01, 0x01)],
    ['a sequence that is shorter than its length says', (der) => Uint8Array.from(der).fill(0x7f, 1, 2)],
    ['a sequence of indefinite length', () => bytesOf(0x30, 0x80, 0x02, 0x01, 0x01, 0x02, 0x01, 0x01)],
    [
      'a sequence of two numbers of 33 bytes',
      () => derOf(new Uint8Array(33).fill(1), new Uint8Array(33).fill(1)),
    ],
    [
      'a sequence with a number of 1000 bytes',
      () => bytesOf(0x30, 0x82, 0x03, 0xec, 0x02, 0x82, 0x03, 0xe8, ...new Uint8Array(1000).fill(1)),
    ],
    ['text', () => Buffer.from('not a signature at all')],
  ])('of ES256 is rejected when it is %s', async (_, signature) => {
    await refuses({ afterSigning: { signature } }, invalid);
  });

  test('of ES256 is rejected when it uses SHA-384', async () => {
    const owner = await personWith('ES256');
    const browser = service.browser();
    const { options } = (await browser.post('/auth/passkey/login/start', {})).body;
    const credential = await owner.authenticator.get(options);
    const [held] = owner.authenticator.credentials;
    const signedWith = (digest: string) => {
      const { clientDataJSON, authenticatorData } = credential.response;
      const hash = createHash('sha256').update(Buffer.from(clientDataJSON, 'base64url')).digest();
      const data = Buffer.concat([Buffer.from(authenticatorData, 'base64url'), hash]);
      return sign(digest, data, held?.privateKey as KeyObject).toString('base64url');
    };
    const response = { ...credential.response, signature: signedWith('sha384') };
    const answer = await browser.post(verifyPath, { credential: { ...credential, response } });
    await expectRefused(answer, 'signature_invalid', owner);
  });
});

describe('a credential id', () => {
  test.each<[string, GetTampering, string]>([
    ['that no passkey has', { id: 'c29tZW9uZSBlbHNl' }, 'credential_unknown'],
    ['with a different rawId', { rawId: 'c29tZW9uZSBlbHNl' }, 'verification_failed'],
    ['with an empty rawId', { rawId: '' }, 'verification_failed'],
    ['of a thousand bytes', { id: 'A'.repeat(1400) }, 'credential_unknown'],
    ['of thirty thousand bytes', { id: 'A'.repeat(40_000), rawId: '' }, 'credential_unknown'],
    ['that looks like SQL', { id: '--' }, 'credential_unknown'],
  ])('%s is rejected', async (_, tamper, reason) => {
    await refuses(tamper, reason);
  });

  test('is case-sensitive', async () => {
    const id = person.authenticator.credentials[0]?.id ?? '';
    const swapped = id.replace(/[a-z]/gi, (letter) =>
      letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
    );
    await refuses({ id: swapped }, 'credential_unknown');
  });

  test.each(credentialTypesNotOurs)('is rejected when the type of the credential is “%s”', async (type) => {
    await refuses({ type }, 'verification_failed');
  });
});

describe('the JSON of an assertion', () => {
  async function verify(change: (credential: LooseCredential) => unknown, who = person): Promise<Answer> {
    const browser = service.browser();
    const { options } = (await browser.post('/auth/passkey/login/start', {})).body;
    const credential = await who.authenticator.get(options);
    return browser.post(verifyPath, { credential: change(credential as unknown as LooseCredential) });
  }

  test.each<[string, (credential: LooseCredential) => unknown, string]>([
    ...malformedCredentials,
    [
      'no authenticator data',
      inside({ authenticatorData: undefined }),
      'credential.response.authenticatorData',
    ],
    [
      'a list as its authenticator data',
      inside({ authenticatorData: [0] }),
      'credential.response.authenticatorData',
    ],
    ['no signature', inside({ signature: undefined }), 'credential.response.signature'],
    ['null as its signature', inside({ signature: null }), 'credential.response.signature'],
    ['a line break in the signature', inside({ signature: 'AA\n' }), 'credential.response.signature'],
    ['a number as its user handle', inside({ userHandle: 1 }), 'credential.response.userHandle'],
    [
      'a user handle that is not encoded',
      inside({ userHandle: 'ada lovelace' }),
      'credential.response.userHandle',
    ],
  ])('is rejected as malformed when it has %s', async (_, change, path) => {
    const answer = await verify(change);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ code: 'invalid_request', status: 400 });
    expect(answer.body.errors[0]).toEqual({ path, message: expect.any(String) });
    expect(await auditRowsOf(answer)).toEqual([]);
    expect(await sessionsOf(person)).toBe(1);
  });

  test.each(['userId', 'username', 'label', 'role'])(
    'is rejected when the request has the unknown property %s next to the credential',
    async (property) => {
      const browser = service.browser();
      const { options } = (await browser.post('/auth/passkey/login/start', {})).body;
      const credential = await person.authenticator.get(options);
      const answer = await browser.post(verifyPath, { credential, [property]: 'x' });
      expect(answer.status).toBe(400);
      expect(answer.body.errors).toEqual([{ path: property, message: 'this property is unknown' }]);
    },
  );

  test.each(unusualCredentials)('is accepted with %s', async (_, change) => {
    const user = await signUp(service);
    expect((await verify(change, user)).status).toBe(200);
  });
});

test('the user can still sign in after every forgery', async () => {
  const answer = await logIn(service.browser(), person.authenticator);
  expect(answer.status).toBe(200);
  expect(await sessionsOf(person)).toBe(2);
});

/** Encodes two integers as a DER sequence. */
function derOf(r: Uint8Array, s: Uint8Array): Uint8Array {
  const integers = Buffer.concat([bytesOf(0x02, r.length), r, bytesOf(0x02, s.length), s]);
  return Buffer.concat([bytesOf(0x30, integers.length), integers]);
}
