import { encodeCBOR } from '@levischuck/tiny-cbor';
import type { CreateTampering } from 'latchkey/testing';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '../support/agent.ts';
import { expectNoLoggedErrors } from '../support/logged-errors.ts';
import { logIn, newAuthenticator, newUsername, type Person, signUp, signUpStart } from '../support/person.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { definite, type Item, indefinite, malformed } from './support/cbor-items.ts';
import { resultOf } from './support/ceremonies.ts';
import { registrationFailed, signInFailed } from './support/expected-results.ts';

let service: TestService;
let person: Person;
beforeAll(async () => {
  service = await startTestService();
  person = await signUp(service);
});
afterAll(() => service.close());
afterEach(() => expectNoLoggedErrors(service));

const hex = (text: string) => Uint8Array.from(Buffer.from(text, 'hex'));
const joined = (...parts: Uint8Array[]) => Uint8Array.from(Buffer.concat(parts));

/** `{"x": item}` */
const extensions = (item: Uint8Array) => joined(hex('a16178'), item);

/** Replaces the empty attestation statement. `object` is `{"fmt": "none", "attStmt": {}, "authData": ...}`. */
const withStatement = (item: Uint8Array) => (object: Uint8Array) => {
  const end = Buffer.from(object).indexOf('attStmt') + 'attStmt'.length;
  return joined(object.subarray(0, end), item, object.subarray(end + 1));
};

/** Adds a member with the label -70001. */
const withMember = (item: Uint8Array) => (key: Parameters<typeof encodeCBOR>[0]) => {
  const [head = 0, ...members] = encodeCBOR(key);
  return joined(Uint8Array.of(head + 1, ...members), hex('3a00011170'), item);
};

async function register(tamper: CreateTampering): Promise<Answer> {
  const browser = service.browser();
  const credential = await newAuthenticator().create(await signUpStart(browser, newUsername()), tamper);
  return browser.post('/auth/passkey/register/verify', { credential });
}

/** The places in a ceremony where the service reads CBOR that the caller chooses. */
const places = {
  'as the attestation object': (item) => register({ afterSigning: { attestationObject: () => item } }),
  'as the attestation statement': (item) =>
    register({ afterSigning: { attestationObject: withStatement(item) } }),
  'in the public key': (item) => register({ publicKey: withMember(item) }),
  'as an extension at the sign-up': (item) => register({ extensionData: extensions(item) }),
  'as an extension at the sign-in': (item) =>
    logIn(service.browser(), person.authenticator, { tamper: { extensionData: extensions(item) } }),
} satisfies Record<string, (item: Uint8Array<ArrayBuffer>) => Promise<Answer>>;
type Place = keyof typeof places;

const attestationMalformed = registrationFailed('attestation_malformed');
const verificationFailed = registrationFailed('verification_failed');
const refusedAt: Record<Place, string> = {
  'as the attestation object': attestationMalformed,
  'as the attestation statement': attestationMalformed,
  'in the public key': verificationFailed,
  'as an extension at the sign-up': verificationFailed,
  'as an extension at the sign-in': signInFailed('verification_failed'),
};

/** Numbers that the decoder does not know: integers of 64 bits, half-precision numbers, simple values. */
const unknownNumbers =
  '1bffffffffffffffff 3bffffffffffffffff f90000 f98000 f93c00 f93e00 f97bff f90001 f90400 f9c400 f0 f8ff'.split(
    ' ',
  );
/**
 * SimpleWebAuthn encodes an item again to find its end. It encodes these numbers with fewer bytes, so it expects the end
 * too early.
 */
const encodedWithFewerBytes = ['fb7ff0000000000000', 'fb7ff8000000000000', 'fbfff0000000000000'];
/** SimpleWebAuthn encodes text outside ASCII with a wrong length, so the key that it returns is malformed. */
const nonAsciiText = ['62c3bc', '63e6b0b4', '64f0908591'];

function expectedFor(place: Place, [item, notation]: Item): string {
  if (place === 'as the attestation object') return attestationMalformed;
  if (place === 'as the attestation statement') {
    // Only an empty map is the statement of the format `none`.
    if (notation === '{}') return 'accepted';
    return notation.startsWith('{') ? verificationFailed : attestationMalformed;
  }
  if (unknownNumbers.includes(item) || encodedWithFewerBytes.includes(item)) return refusedAt[place];
  const isKeyWithText = place === 'in the public key' && nonAsciiText.includes(item);
  return isKeyWithText ? registrationFailed('public_key_unacceptable') : 'accepted';
}

async function resultsAt(place: Place, items: readonly Item[]): Promise<[string, string][]> {
  const resultFor = async ([item]: Item) => resultOf(service, await places[place](hex(item)));
  return Promise.all(items.map(async (item) => [item[0], await resultFor(item)]));
}

describe.each(Object.keys(places) as Place[])('%s,', (place) => {
  test('the examples of RFC 8949 with definite lengths have their expected results', async () => {
    expect(await resultsAt(place, definite)).toEqual(
      definite.map((item) => [item[0], expectedFor(place, item)]),
    );
  });

  test('the examples of RFC 8949 with indefinite lengths are refused, because authenticators do not send them', async () => {
    expect(await resultsAt(place, indefinite)).toEqual(indefinite.map(([item]) => [item, refusedAt[place]]));
  });

  test.each(Object.entries(malformed))(
    'an item with %s (RFC 8949, appendix F) is refused',
    async (_, texts) => {
      const items = texts.split(' ').map((text): Item => [text, '']);
      expect(await resultsAt(place, items)).toEqual(items.map(([item]) => [item, refusedAt[place]]));
    },
  );
});

test('a map with two equal keys is refused in every place', async () => {
  const twice: Item[] = [['a201020103', '{1: 2, 1: 3}']];
  for (const place of Object.keys(places) as Place[])
    expect(await resultsAt(place, twice)).toEqual([['a201020103', refusedAt[place]]]);
});
