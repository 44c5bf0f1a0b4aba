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
import { logIn, newAuthenticator, newUsername, type Person, signUp, signUpStart } from '../support/person.ts';
import { startTestService, type TestService } from '../support/test-service.ts';

const verifyPath = '/auth/passkey/login/verify';
const bytesOf = (...bytes: number[]) => Uint8Array.from(bytes);

const keys: Partial<Record<SoftwareAlgorithm, KeyObject>> = {
  ES256: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey,
  EdDSA: generateKeyPairSync('ed25519').privateKey,
  RS256: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey,
};

let service: TestService;
/** Whom every lie is tried on; at the end their honest login must still work. */
let person: Person;
beforeAll(async () => {
  service = await startTestService();
  person = await signUp(service);
});
afterAll(() => service.close());
afterEach(() => expect(service.logged.filter(({ level }) => level === 'error')).toEqual([]));

const sessionsOf = async ({ signedUp }: Person): Promise<number> =>
  (await service.database.sql`select id from latchkey.sessions where user_id = ${signedUp.body.user.id}`)
    .length;

const auditRowsOf = (answer: Answer) =>
  service.database.sql`
    select event, outcome, actor_type, details from latchkey.audit_events
    where request_id = ${answer.headers.get('x-request-id')}`;

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
      type: 'urn:latchkey:error:authentication_failed',
      title: 'Signing in did not work.',
      status: 401,
      code: 'authentication_failed',
    },
    cookies: [],
    audit: [{ event: 'passkey.login', outcome: 'failure', actor_type: 'anonymous', details: { reason } }],
    sessions,
  });
}

/** Tries one lie, with a username and without: both must be refused for the same reason. */
async function refuses(tamper: GetTampering, reason: string): Promise<void> {
  for (const username of [undefined, person.username]) {
    await expectRefused(await logIn(service.browser(), person.authenticator, { username, tamper }), reason);
  }
}

/** Tries what is unusual and yet to be accepted, on somebody new. */
async function accepts(tamper: GetTampering, options: Partial<SoftwareAuthenticatorOptions> = {}) {
  const somebody = await signUp(service, { authenticator: newAuthenticator(options) });
  const answer = await logIn(service.browser(), somebody.authenticator, { tamper });
  expect([answer.status, answer.body.code]).toEqual([200, undefined]);
  expect(answer.body.user).toEqual(somebody.signedUp.body.user);
}

/** Somebody whose passkey has this algorithm. */
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
  const honestOrigin = 'http://localhost:3000';

  test.each<[string, unknown]>([
    ['of a registration', 'webauthn.create'],
    ['in other case', 'WebAuthn.Get'],
    ['of a payment', 'payment.get'],
    ['of nothing', ''],
    ['missing', undefined],
    ['null', null],
    ['a list', ['webauthn.get']],
  ])('with a type that is %s is refused', async (_, type) => {
    await refuses({ clientData: { type } }, 'verification_failed');
  });

  test.each<[string, unknown]>([
    ['missing', undefined],
    ['null', null],
    ['a number', 7],
    ['an object', {}],
    ['empty', ''],
    ['not ours', 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'],
  ])('with a challenge that is %s is refused', async (_, challenge) => {
    await refuses({ clientData: { challenge } }, 'challenge_unknown_or_expired');
  });

  test('with the challenge in a list is refused', async () => {
    const listed = (json: string) => json.replace(/"challenge":("[^"]+")/, '"challenge":[$1]');
    await refuses({ clientData: listed }, 'challenge_unknown_or_expired');
  });

  test.each<[string, unknown]>([
    ['of another site', 'https://evil.example'],
    ['with another scheme', 'https://localhost:3000'],
    ['with another port', 'http://localhost:3001'],
    ['without the port', 'http://localhost'],
    ['with a trailing slash', `${honestOrigin}/`],
    ['with a path', `${honestOrigin}/login`],
    ['in capitals', 'http://LOCALHOST:3000'],
    ['with a capital scheme', 'HTTP://localhost:3000'],
    ['of a subdomain', 'http://evil.localhost:3000'],
    ['that begins like ours', `${honestOrigin}.evil.example`],
    ['that ends like ours', 'http://evil.example/http://localhost:3000'],
    ['with ours as user information', `${honestOrigin}@evil.example`],
    ['of the loopback address', 'http://127.0.0.1:3000'],
    ['with a space before it', ` ${honestOrigin}`],
    ['with NUL after it', `${honestOrigin}\0`],
    ['that is opaque', 'null'],
    ['null', null],
    ['empty', ''],
    ['missing', undefined],
    ['a number', 3000],
    ['a list that holds ours', [honestOrigin]],
  ])('with an origin %s is refused', async (_, origin) => {
    await refuses({ clientData: { origin } }, 'verification_failed');
  });

  test.each<Record<string, string>>([
    { Host: 'evil.example' },
    { 'X-Forwarded-Host': 'evil.example', 'X-Forwarded-Proto': 'https' },
    { Forwarded: 'host=evil.example;proto=https' },
  ])('is held against the configured origin, not against %o', async (headers) => {
    const browser = service.browser();
    const spoofing: TestAgent = { ...browser, post: (path, body) => browser.post(path, body, headers) };
    const tamper = { clientData: { origin: 'https://evil.example' } };
    await expectRefused(await logIn(spoofing, person.authenticator, { tamper }), 'verification_failed');
  });

  test.each<[string, GetTampering['clientData']]>([
    ['crossOrigin is true', { crossOrigin: true }],
    ['crossOrigin is true and topOrigin ours', { crossOrigin: true, topOrigin: honestOrigin }],
    ['crossOrigin is true and topOrigin foreign', { crossOrigin: true, topOrigin: 'https://evil.example' }],
    ['crossOrigin is false and topOrigin there', { topOrigin: 'https://evil.example' }],
    ['crossOrigin is missing and topOrigin there', { crossOrigin: undefined, topOrigin: honestOrigin }],
    ['topOrigin is empty', { topOrigin: '' }],
    ['topOrigin is null', { topOrigin: null }],
    ['crossOrigin is the text true', { crossOrigin: 'true' }],
    ['crossOrigin is one', { crossOrigin: 1 }],
    ['crossOrigin is null', { crossOrigin: null }],
  ])('is refused where %s', async (_, clientData) => {
    await refuses({ clientData }, 'cross_origin');
  });

  test.each<[string, GetTampering['clientData']]>([
    ['an empty text', ''],
    ['no JSON', 'webauthn.get'],
    ['JSON cut short', (json) => json.slice(0, -1)],
    ['JSON with something after it', (json) => `${json}{}`],
    ['a list around it', (json) => `[${json}]`],
    ['a text around it', (json) => JSON.stringify(json)],
    ['null', 'null'],
    ['a number', '1'],
    [
      'bytes that are no UTF-8',
      (json) =>
        Buffer.concat([Buffer.from(json.slice(0, -1)), bytesOf(0x2c, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d)]),
    ],
    ['UTF-16', (json) => Buffer.from(json, 'utf16le')],
    ['thirty thousand brackets', '['.repeat(30_000)],
  ])('that is %s is refused', async (_, clientData) => {
    await refuses({ clientData }, 'challenge_unknown_or_expired');
  });

  test.each<[string, GetTampering['clientData']]>([
    ['members nobody knows', { future: { deep: [1, 'two', null] }, tokenBindingId: 'x' }],
    [
      'a member called like what every object has',
      (json) => json.replace('{', '{"toString":1,"__proto__":{"a":1},'),
    ],
    ['no crossOrigin', { crossOrigin: undefined }],
    ['a token binding', { tokenBinding: { status: 'supported' } }],
    [
      'the order of members changed',
      (json) => JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(json)).reverse())),
    ],
    ['white space', (json) => JSON.stringify(JSON.parse(json), null, '\t')],
    ['a byte order mark, which UTF-8 decoding strips', (json) => `\ufeff${json}`],
    ['escaped characters', (json) => json.replace('webauthn', '\\u0077ebauthn')],
  ])('with %s is accepted', async (_, clientData) => {
    await accepts({ clientData });
  });
});

describe('several origins', () => {
  const first = 'https://app.example';
  const related = 'https://app.example.net';
  let several: TestService;
  beforeAll(async () => {
    several = await startTestService({ rpId: 'app.example', origins: [first, related] });
  });
  afterAll(() => several.close());

  test.each([
    ['the first', first, 200],
    ['a related one', related, 200],
    ['one with the port spelt out', 'https://app.example:443', 401],
    ['one with a trailing dot', 'https://app.example.', 401],
    ['a subdomain', 'https://www.app.example', 401],
    ['one without TLS', 'http://app.example', 401],
    ['the whole list', `${first},${related}`, 401],
    ['a longer one', `${related}.evil.example`, 401],
  ])('are matched one by one: %s', async (_, origin, status) => {
    const browser = createAgent(several.url, first);
    const authenticator = newAuthenticator({ origin: first });
    const username = newUsername();
    const credential = await authenticator.create(await signUpStart(browser, username));
    expect((await browser.post('/auth/passkey/register/verify', { credential })).status).toBe(201);
    const answer = await logIn(createAgent(several.url, first), authenticator, {
      tamper: { clientData: { origin } },
    });
    expect(answer.status).toBe(status);
    expect(several.logged.filter(({ level }) => level === 'error')).toEqual([]);
  });
});

describe('authenticator data', () => {
  test.each([
    ['another site', 'evil.example'],
    ['a subdomain', 'login.localhost'],
    ['the origin', 'http://localhost:3000'],
    ['capitals', 'LOCALHOST'],
    ['a trailing dot', 'localhost.'],
    ['nothing', ''],
  ])('for the RP id of %s is refused', async (_, rpId) => {
    await refuses({ rpId }, 'verification_failed');
  });

  test.each<[string, GetTampering['flags']]>([
    ['without UP', { up: false }],
    ['without UV', { uv: false }],
    ['without UP and UV', { up: false, uv: false }],
    ['with BS but without BE', { be: false, bs: true }],
    ['with AT but without its data', { at: true }],
    ['with ED but without extensions', { ed: true }],
  ])('%s is refused', async (_, flags) => {
    await refuses({ flags }, 'verification_failed');
  });

  test.each([
    [true, false, false],
    [false, true, true],
    [false, true, false],
  ])('of a passkey with BE %s cannot say BE %s and BS %s', async (registered, be, bs) => {
    const authenticator = newAuthenticator({ backupEligible: registered });
    const somebody = await signUp(service, { authenticator });
    const answer = await logIn(service.browser(), authenticator, { tamper: { flags: { be, bs } } });
    await expectRefused(answer, 'backup_eligibility_changed', somebody);
  });

  test('may tell that a passkey is synced by now, or no longer, which is stored', async () => {
    const authenticator = newAuthenticator({ backupEligible: true, backedUp: false });
    const { browser } = await signUp(service, { authenticator });
    const backedUp = async () => (await browser.get('/auth/passkey/devices')).body.devices[0].backedUp;
    expect(await backedUp()).toBe(false);
    for (const bs of [true, false]) {
      expect((await logIn(browser, authenticator, { tamper: { flags: { bs } } })).status).toBe(200);
      expect(await backedUp()).toBe(bs);
    }
  });

  test('may have the reserved bits set', async () => {
    await accepts({ flags: { rfu1: true, rfu2: true } });
  });

  test('may hold extensions, known or not', async () => {
    const extensionData: CborMap = new Map<string, number | boolean | Uint8Array>([
      ['uvm', true],
      ['org.example.future', bytesOf(1, 2, 3)],
    ]);
    await accepts({ extensionData });
  });

  test.each<[string, GetTampering]>([
    ['with extensions but without ED', { extensionData: new Map([['uvm', 2]]), flags: { ed: false } }],
    ['with extensions that are no CBOR', { extensionData: bytesOf(0xff, 0xff) }],
    ['with extensions that are a number', { extensionData: bytesOf(0x07) }],
    ['with extensions that are a list', { extensionData: bytesOf(0x80) }],
    ['with extensions that nest without end', { extensionData: new Uint8Array(20_000).fill(0x81) }],
    ['with a byte after it', { authenticatorData: append(0) }],
    ['with a byte after its extensions', { extensionData: new Map(), authenticatorData: append(0) }],
    ['with attested data but without AT', { attestedCredentialData: true, flags: { at: false } }],
    ['of nothing', { authenticatorData: () => bytesOf() }],
    ['of zeros', { authenticatorData: (bytes) => new Uint8Array(bytes.length) }],
    ['changed after signing', { afterSigning: { authenticatorData: withCounter(9) } }],
  ])('%s is refused', async (_, tamper) => {
    await refuses(tamper, 'verification_failed');
  });

  test('is refused wherever it is cut off', async () => {
    for (let cut = 1; cut <= 37; cut += 1) {
      const tamper = { authenticatorData: truncateBy(cut) };
      const answer = await logIn(service.browser(), person.authenticator, { tamper });
      expect([cut, answer.status, answer.body.code]).toEqual([cut, 401, 'authentication_failed']);
    }
    expect(await sessionsOf(person)).toBe(1);
  });

  test('is refused with extensions cut off anywhere', async () => {
    const extensionData: CborMap = new Map<string, string | Uint8Array>([
      ['text', 'abcdef'],
      ['bytes', bytesOf(1, 2, 3, 4, 5, 6)],
    ]);
    for (let cut = 1; cut <= encodeCBOR(extensionData).length; cut += 1) {
      const tamper = { extensionData, authenticatorData: truncateBy(cut) };
      const answer = await logIn(service.browser(), person.authenticator, { tamper });
      expect([cut, answer.status, answer.body.code]).toEqual([cut, 401, 'authentication_failed']);
    }
    expect(await sessionsOf(person)).toBe(1);
  });
});

describe('the signature', () => {
  const zeros = (length: number) => () => new Uint8Array(length);

  describe.each<SoftwareAlgorithm>(['ES256', 'EdDSA', 'RS256'])('of %s', (algorithm) => {
    let owner: Person;
    beforeAll(async () => {
      owner = await personWith(algorithm);
    });

    test.each<[string, NonNullable<GetTampering['afterSigning']>]>([
      ['empty', { signature: () => bytesOf() }],
      ['a single zero', { signature: zeros(1) }],
      ['nothing but zeros', { signature: (signature) => new Uint8Array(signature.length) }],
      ['nothing but ones', { signature: (signature) => new Uint8Array(signature.length).fill(0xff) }],
      ['flipped at its end', { signature: flipLastBit }],
      [
        'flipped at its start',
        { signature: (signature) => Uint8Array.from(signature).fill((signature[0] ?? 0) ^ 1, 0, 1) },
      ],
      ['short of its last byte', { signature: truncateBy(1) }],
      ['short of its first byte', { signature: (signature) => signature.slice(1) }],
      ['followed by a byte', { signature: append(0) }],
      ['half of it', { signature: truncateBy(32) }],
      ['twice itself', { signature: (signature) => Buffer.concat([signature, signature]) }],
      ['sixty-four zeros', { signature: zeros(64) }],
      ['thirty kilobytes', { signature: zeros(30_000) }],
      ['of another client data', { clientDataJSON: (json) => Buffer.concat([json, Buffer.from(' ')]) }],
    ])('is refused where it is %s', async (_, afterSigning) => {
      const answer = await logIn(service.browser(), owner.authenticator, { tamper: { afterSigning } });
      await expectRefused(answer, 'verification_failed', owner);
    });

    test('is refused where another key of the same kind made it', async () => {
      const browser = service.browser();
      const { options } = (await browser.post('/auth/passkey/login/start', {})).body;
      const credential = await owner.authenticator.get(options);
      const stranger = newAuthenticator({ algorithm });
      await stranger.create(await signUpStart(service.browser()));
      const { response } = await stranger.get(options);
      const answer = await browser.post(verifyPath, {
        credential: { ...credential, response: { ...credential.response, signature: response.signature } },
      });
      await expectRefused(answer, 'verification_failed', owner);
    });

    test('is accepted where nothing is wrong with it', async () => {
      expect((await logIn(service.browser(), owner.authenticator)).status).toBe(200);
    });
  });

  test.each<[string, (signature: Uint8Array) => Uint8Array]>([
    ['r and s side by side', rawEcdsaSignature],
    ['r and s of zero in DER', () => bytesOf(0x30, 0x06, 0x02, 0x01, 0x00, 0x02, 0x01, 0x00)],
    ['r and s of one in DER', () => bytesOf(0x30, 0x06, 0x02, 0x01, 0x01, 0x02, 0x01, 0x01)],
    ['an empty sequence', () => bytesOf(0x30, 0x00)],
    ['a sequence of one number', () => bytesOf(0x30, 0x03, 0x02, 0x01, 0x01)],
    ['a sequence that claims more than there is', (der) => Uint8Array.from(der).fill(0x7f, 1, 2)],
    ['a sequence of indefinite length', () => bytesOf(0x30, 0x80, 0x02, 0x01, 0x01, 0x02, 0x01, 0x01)],
    ['numbers of 33 bytes without need', () => derOf(new Uint8Array(33).fill(1), new Uint8Array(33).fill(1))],
    [
      'numbers of a thousand bytes',
      () => bytesOf(0x30, 0x82, 0x03, 0xec, 0x02, 0x82, 0x03, 0xe8, ...new Uint8Array(1000).fill(1)),
    ],
    ['text', () => Buffer.from('a signature, upon my word')],
  ])('of ES256 is refused as %s', async (_, signature) => {
    await refuses({ afterSigning: { signature } }, 'verification_failed');
  });

  test('of ES256 with SHA-384 is refused', async () => {
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
    await expectRefused(answer, 'verification_failed', owner);
  });
});

describe('the credential id', () => {
  test.each<[string, GetTampering, string]>([
    ['that nobody has', { id: 'c29tZW9uZSBlbHNl' }, 'credential_unknown'],
    ['with a rawId of another', { rawId: 'c29tZW9uZSBlbHNl' }, 'verification_failed'],
    ['with an empty rawId', { rawId: '' }, 'verification_failed'],
    ['of a thousand bytes', { id: 'A'.repeat(1400) }, 'credential_unknown'],
    ['of thirty thousand bytes', { id: 'A'.repeat(40_000), rawId: '' }, 'credential_unknown'],
    ['that looks like SQL', { id: '--' }, 'credential_unknown'],
  ])('%s is refused', async (_, tamper, reason) => {
    await refuses(tamper, reason);
  });

  test('in other case is another', async () => {
    const id = person.authenticator.credentials[0]?.id ?? '';
    const swapped = id.replace(/[a-z]/gi, (letter) =>
      letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
    );
    await refuses({ id: swapped }, 'credential_unknown');
  });

  test.each(['password', 'PUBLIC-KEY', 'public-key ', ''])('is refused with the type “%s”', async (type) => {
    await refuses({ type }, 'verification_failed');
  });
});

describe('the JSON of an assertion', () => {
  interface Loose {
    [member: string]: unknown;
    response: Record<string, unknown>;
  }
  const inside = (response: Record<string, unknown>) => (credential: Loose) => ({
    ...credential,
    response: { ...credential.response, ...response },
  });
  const outside = (members: Record<string, unknown>) => (credential: Loose) => ({
    ...credential,
    ...members,
  });

  async function verify(change: (credential: Loose) => unknown, who = person): Promise<Answer> {
    const browser = service.browser();
    const { options } = (await browser.post('/auth/passkey/login/start', {})).body;
    const credential = await who.authenticator.get(options);
    return browser.post(verifyPath, { credential: change(credential as unknown as Loose) });
  }

  test.each<[string, (credential: Loose) => unknown, string]>([
    ['no credential', () => undefined, 'credential'],
    ['null', () => null, 'credential'],
    ['a text', () => 'credential', 'credential'],
    ['an empty list', () => [], 'credential.id'],
    ['an empty object', () => ({}), 'credential.id'],
    ['no id', outside({ id: undefined }), 'credential.id'],
    ['an empty id', outside({ id: '' }), 'credential.id'],
    ['a number for an id', outside({ id: 1 }), 'credential.id'],
    ['an id in standard base64', outside({ id: 'a+b/' }), 'credential.id'],
    ['an id with padding', outside({ id: 'AA==' }), 'credential.id'],
    ['NUL in the id', outside({ id: 'AA\0' }), 'credential.id'],
    ['no rawId', outside({ rawId: undefined }), 'credential.rawId'],
    ['a list for a rawId', outside({ rawId: [1, 2] }), 'credential.rawId'],
    ['no type', outside({ type: undefined }), 'credential.type'],
    [
      'a number for an attachment',
      outside({ authenticatorAttachment: 1 }),
      'credential.authenticatorAttachment',
    ],
    [
      'a text for extension results',
      outside({ clientExtensionResults: 'x' }),
      'credential.clientExtensionResults',
    ],
    ['no response', outside({ response: undefined }), 'credential.response'],
    ['null for a response', outside({ response: null }), 'credential.response'],
    ['no client data', inside({ clientDataJSON: undefined }), 'credential.response.clientDataJSON'],
    [
      'client data that is not encoded',
      inside({ clientDataJSON: '{}' }),
      'credential.response.clientDataJSON',
    ],
    [
      'no authenticator data',
      inside({ authenticatorData: undefined }),
      'credential.response.authenticatorData',
    ],
    [
      'a list for authenticator data',
      inside({ authenticatorData: [0] }),
      'credential.response.authenticatorData',
    ],
    ['no signature', inside({ signature: undefined }), 'credential.response.signature'],
    ['null for a signature', inside({ signature: null }), 'credential.response.signature'],
    ['a line break in the signature', inside({ signature: 'AA\n' }), 'credential.response.signature'],
    ['a number for a user handle', inside({ userHandle: 1 }), 'credential.response.userHandle'],
    [
      'a user handle that is not encoded',
      inside({ userHandle: 'ada lovelace' }),
      'credential.response.userHandle',
    ],
  ])('is malformed with %s', async (_, change, path) => {
    const answer = await verify(change);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ code: 'invalid_request', status: 400 });
    expect(answer.body.errors[0]).toEqual({ path, message: expect.any(String) });
    expect(await auditRowsOf(answer)).toEqual([]);
    expect(await sessionsOf(person)).toBe(1);
  });

  test.each(['userId', 'username', 'label', 'role'])('has no %s beside the credential', async (member) => {
    const browser = service.browser();
    const { options } = (await browser.post('/auth/passkey/login/start', {})).body;
    const credential = await person.authenticator.get(options);
    const answer = await browser.post(verifyPath, { credential, [member]: 'x' });
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toEqual([{ path: member, message: 'this member is not known' }]);
  });

  test.each<[string, (credential: Loose) => unknown]>([
    ['null for an attachment', outside({ authenticatorAttachment: null })],
    ['no attachment', outside({ authenticatorAttachment: undefined })],
    ['an attachment nobody knows', outside({ authenticatorAttachment: 'implant' })],
    ['no extension results', outside({ clientExtensionResults: undefined })],
    ['extension results nobody knows', outside({ clientExtensionResults: { future: { on: [true] } } })],
    ['members nobody knows', outside({ future: 1 })],
    ['members nobody knows in the response', inside({ future: { deep: [] } })],
  ])('may have %s', async (_, change) => {
    const somebody = await signUp(service);
    expect((await verify(change, somebody)).status).toBe(200);
  });
});

test('none of it has kept the person from logging in', async () => {
  const answer = await logIn(service.browser(), person.authenticator);
  expect(answer.status).toBe(200);
  expect(await sessionsOf(person)).toBe(2);
});

/** Writes another signature counter into authenticator data. */
function withCounter(counter: number): (bytes: Uint8Array) => Uint8Array {
  return (bytes) => {
    const changed = Buffer.from(bytes);
    changed.writeUInt32BE(counter, 33);
    return changed;
  };
}

/** Two integers as a DER sequence. */
function derOf(r: Uint8Array, s: Uint8Array): Uint8Array {
  const integers = Buffer.concat([bytesOf(0x02, r.length), r, bytesOf(0x02, s.length), s]);
  return Buffer.concat([bytesOf(0x30, integers.length), integers]);
}
