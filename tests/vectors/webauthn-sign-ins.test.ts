import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { createSealer as CreateSealer } from '../../src/core/sealing.ts';
import { expectNoLoggedErrors } from '../support/logged-errors.ts';
import type { TestService } from '../support/test-service.ts';
import {
  type Assertion,
  changeClientData,
  flipBit,
  publishedAssertion,
  resultOf,
  signAgain,
  signInWith,
  startExampleService,
} from './support/ceremonies.ts';
import { signInFailed, store, storedCases } from './support/expected-results.ts';
import { flag } from './support/webauthn-examples.ts';

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
const counterAt = 33;

const withFlags =
  (change: (flags: number) => number) =>
  (assertion: Assertion): Assertion => {
    const authenticatorData = Uint8Array.from(assertion.authenticatorData);
    authenticatorData[flagsAt] = change(authenticatorData[flagsAt] ?? 0);
    return { ...assertion, authenticatorData };
  };
const withCounter = (counter: number) => (assertion: Assertion) => {
  const authenticatorData = Buffer.from(assertion.authenticatorData);
  authenticatorData.writeUInt32BE(counter, counterAt);
  return { ...assertion, authenticatorData };
};
const withData = (members: object) => (assertion: Assertion) => ({
  ...assertion,
  clientDataJSON: changeClientData(assertion.clientDataJSON, members),
});
const flipped =
  (member: 'authenticatorData' | 'clientDataJSON' | 'signature', index: number) =>
  (assertion: Assertion) => ({
    ...assertion,
    [member]: flipBit(assertion[member], index),
  });

type Change = [name: string, change: (assertion: Assertion) => Assertion, reason: string];

/** The key of the example signs each changed authentication. */
const signedChanges: Change[] = [
  ['another type', withData({ type: 'webauthn.create' }), 'type_mismatch'],
  ['another challenge', withData({ challenge: 'AAAAAAAAAAAAAAAAAAAAAA' }), 'challenge_unknown'],
  ['another origin', withData({ origin: 'https://example.com' }), 'origin_mismatch'],
  ['a cross-origin iframe', withData({ crossOrigin: true }), 'cross_origin'],
  ['another RP ID', flipped('authenticatorData', 0), 'rp_id_mismatch'],
  ['no user presence', withFlags((flags) => flags & ~flag.up), 'user_not_present'],
  ['no user verification', withFlags((flags) => flags & ~flag.uv), 'user_not_verified'],
  [
    'another backup eligibility',
    withFlags((flags) => (flags & flag.be ? flags & ~(flag.be | flag.bs) : flags | flag.be)),
    'backup_eligibility_changed',
  ],
  ['the AT flag without data', withFlags((flags) => flags | flag.at), 'verification_failed'],
  ['the id of another credential', (assertion) => ({ ...assertion, id: 'AAAA' }), 'credential_unknown'],
];

/** The signature is for the unchanged authentication. */
const unsignedChanges: Change[] = [
  ['another signature', flipped('signature', -1), 'signature_invalid'],
  ['another counter', withCounter(1), 'signature_invalid'],
  ['additional client data', withData({ added: true }), 'signature_invalid'],
  ['another byte in the client data', flipped('clientDataJSON', -2), 'client_data_malformed'],
];

describe.each(storedCases)('with the passkey of the example $name, a sign-in', (each) => {
  const { example, signIn } = each;
  const published = publishedAssertion(example);
  /** The published authentication, in which the authenticator has also verified the user outside an iframe. */
  const valid = signAgain(
    example,
    withData({ crossOrigin: false, topOrigin: undefined })(withFlags((flags) => flags | flag.uv)(published)),
  );

  let userHandle: string;
  beforeAll(async () => {
    userHandle = await store(service, each);
  });
  const resultFor = async (assertion: Assertion) =>
    resultOf(service, await signInWith(service, example, assertion, userHandle));

  test(`with the published authentication returns: ${signIn}`, async () => {
    expect(await resultFor(published)).toBe(signIn);
  });

  test('with user verification and without an iframe is accepted', async () => {
    expect(await resultFor(valid)).toBe('accepted');
  });

  test('with the user handle of another user is refused', async () => {
    const answer = await signInWith(service, example, valid, 'AAAA');
    expect(await resultOf(service, answer)).toBe(signInFailed('user_handle_mismatch'));
  });

  test.each(signedChanges)('with %s is refused', async (_, change, reason) => {
    expect(await resultFor(signAgain(example, change(valid)))).toBe(signInFailed(reason));
  });

  test.each(unsignedChanges)('with %s, but the same signature, is refused', async (_, change, reason) => {
    expect(await resultFor(change(valid))).toBe(signInFailed(reason));
  });

  test('is refused as a suspected clone if the counter does not increase', async () => {
    expect(await resultFor(signAgain(example, withCounter(5)(valid)))).toBe('accepted');
    for (const counter of [5, 4, 0])
      expect(await resultFor(signAgain(example, withCounter(counter)(valid)))).toBe(
        signInFailed('counter_not_increased'),
      );
    expect(await resultFor(signAgain(example, withCounter(6)(valid)))).toBe('accepted');
  });
});
