import { flipLastBit, type GetTampering, type SoftwareAuthenticator } from 'latchkey/testing';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Answer, TestAgent } from '../support/agent.ts';
import { addPasskey, logIn, newAuthenticator, newUsername, signUp, signUpStart } from '../support/person.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { setStatus } from './support/accounts.ts';
import { deleteAccount } from './support/authority.ts';
import { challengesOtherThanOf } from './support/challenge-sources.ts';
import { expectDisabled, reasonOfRefusal, shapeOf } from './support/refused-sign-in.ts';

const startPath = '/auth/passkey/login/start';
const verifyPath = '/auth/passkey/login/verify';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const idOf = ({ credentials }: SoftwareAuthenticator) => credentials[0]?.id ?? '';
const handleOf = ({ credentials }: SoftwareAuthenticator) => credentials[0]?.userHandle ?? '';
const reasonOf = (answer: Answer) => reasonOfRefusal(service, answer);
const reasonWithForget = (answer: Answer) => reasonOfRefusal(service, answer, 'unknown_credential');

/** Signs up a user with two passkeys and removes one of them. `removed` still has the removed passkey. */
async function withRemovedPasskey() {
  const person = await signUp(service);
  const removed = newAuthenticator();
  const { device } = (await addPasskey(person.browser, removed)).body;
  expect((await person.browser.delete(`/auth/passkey/devices/${device.id}`)).status).toBe(204);
  return { ...person, removed };
}

/** Creates an assertion for a sign-in. Returns a function that sends the assertion, by default from `browser`. */
async function prepared(authenticator: SoftwareAuthenticator, browser: TestAgent, tamper: GetTampering = {}) {
  const { options } = (await browser.post(startPath, {})).body;
  const credential = await authenticator.get(options, tamper);
  return (from = browser) => from.post(verifyPath, { credential });
}

describe('a failed sign-in reports unknown_credential', () => {
  test('for a passkey that its user has removed, and the audit log contains the reason', async () => {
    const { username, removed } = await withRemovedPasskey();
    for (const named of [{}, { username }, { username: newUsername() }]) {
      const tamper = { credential: idOf(removed) };
      const answer = await logIn(service.browser(), removed, { ...named, tamper });
      expect(await reasonWithForget(answer)).toBe('credential_unknown');
    }
  });

  test('for a passkey of a deleted account', async () => {
    const { browser, authenticator } = await signUp(service);
    expect((await deleteAccount(browser)).status).toBe(204);
    expect(await reasonWithForget(await logIn(service.browser(), authenticator))).toBe('credential_unknown');
  });

  // Otherwise, the response time would differ between the causes.
  test('after the same statements as any other failed sign-in', async () => {
    const { authenticator, removed } = await withRemovedPasskey();
    const statementsOf = async (finish: () => Promise<Answer>) => {
      service.statements.length = 0;
      expect((await finish()).status).toBe(401);
      return [...service.statements];
    };
    const forged = { afterSigning: { signature: flipLastBit } };
    const known = await statementsOf(await prepared(authenticator, service.browser(), forged));
    expect(known).toHaveLength(2);
    expect(await statementsOf(await prepared(removed, service.browser()))).toEqual(known);
    const unknown = { userHandle: 'AAAA' };
    expect(await statementsOf(await prepared(removed, service.browser(), unknown))).toEqual(known);
  });
});

// Without this work, the response time reveals which credential ids exist.
test('a sign-in with an unknown credential verifies a signature, as with a known credential', async () => {
  const { username, authenticator, removed } = await withRemovedPasskey();
  const verifying = vi.spyOn(Object.getPrototypeOf(crypto.subtle), 'verify');
  const verifications = async (used: SoftwareAuthenticator) => {
    verifying.mockClear();
    const forged = { userHandle: null, afterSigning: { signature: flipLastBit } };
    const tamper = { credential: idOf(used), ...forged };
    await reasonOf(await logIn(service.browser(), used, { username, tamper }));
    return verifying.mock.calls.length;
  };
  try {
    expect(await verifications(authenticator)).toBe(1);
    expect(await verifications(removed)).toBe(1);
  } finally {
    verifying.mockRestore();
  }
});

describe('unknown_credential is not reported', () => {
  test('for a passkey of a sign-up that was never finished', async () => {
    const stranger = newAuthenticator();
    await stranger.create(await signUpStart(service.browser()));
    expect(await reasonOf(await logIn(service.browser(), stranger))).toBe('credential_unknown');
  });

  test.each<[string, (handle: string) => string | null | undefined]>([
    ['without the user handle', () => undefined],
    ['with null as the user handle', () => null],
    ['with an empty user handle', () => ''],
    ['with a shortened user handle', (handle) => handle.slice(0, -2)],
    ['with a longer user handle', (handle) => `${handle}AA`],
    ['with a user handle of 30,000 bytes', () => 'A'.repeat(40_000)],
    [
      'if the user handle has another base64url spelling',
      (handle) => handle.slice(0, -1) + spareBitSet(handle),
    ],
    ['with a SQL pattern as the user handle', () => '____'],
  ])('%s', async (_, change) => {
    const { username, removed } = await withRemovedPasskey();
    const tamper = { credential: idOf(removed), userHandle: change(handleOf(removed)) };
    for (const named of [{}, { username }]) {
      const answer = await logIn(service.browser(), removed, { ...named, tamper });
      expect(await reasonOf(answer)).toBe('credential_unknown');
    }
  });

  test('for an existing passkey with an invalid assertion or a disabled account', async () => {
    const person = await signUp(service);
    for (const tamper of [
      { afterSigning: { signature: flipLastBit } },
      { flags: { uv: false } },
      { clientData: { crossOrigin: true } },
    ]) {
      await reasonOf(await logIn(service.browser(), person.authenticator, { tamper }));
    }
    await setStatus(service, person, 'disabled');
    await expectDisabled(service, await logIn(service.browser(), person.authenticator));
  });

  test.each<[string, (authenticator: SoftwareAuthenticator) => Promise<Answer>]>([
    [
      'already used',
      async (authenticator) => {
        const finish = await prepared(authenticator, service.browser());
        await finish();
        return finish();
      },
    ],
    [
      'from another browser',
      async (authenticator) => (await prepared(authenticator, service.browser()))(service.browser()),
    ],
    [
      'forged',
      async (authenticator) =>
        (await prepared(authenticator, service.browser(), { clientData: { challenge: 'AAAA' } }))(),
    ],
  ])('if the challenge is %s', async (_, attempt) => {
    const { removed } = await withRemovedPasskey();
    await reasonOf(await attempt(removed));
  });

  test.each(challengesOtherThanOf('a sign-in'))('if the challenge comes from %s', async (_, start) => {
    const { browser, removed } = await withRemovedPasskey();
    const { challenge } = (await start(browser)).body.options;
    const finish = await prepared(removed, browser, { clientData: { challenge } });
    expect(await reasonOf(await finish())).toBe('challenge_of_another_kind');
  });

  test('in a step-up, because its options contain the ids of the user’s passkeys', async () => {
    const { browser, authenticator, signedUp } = await signUp(service);
    const { options } = (await browser.post('/auth/passkey/stepup/start', {})).body;
    const credential = await authenticator.get(options);
    await service.database.sql`delete from latchkey.passkeys where id = ${signedUp.body.passkey.id}`;
    const answer = await browser.post('/auth/passkey/stepup/verify', { credential });
    expect(await reasonOf(answer)).toBe('credential_unknown');
  });
});

// The options of a sign-in contain credential ids of passkeys or decoys. Attackers must not learn which ids are real,
// even if they send their own user handle.
test.each([
  ['the attacker’s own user handle', (handle: string) => handle],
  ['an unknown user handle', () => 'AAAA'],
  ['no user handle', () => null],
])(
  'with %s, the id of a decoy and the id of another user’s passkey get the same response',
  async (_, handle) => {
    const victim = await signUp(service);
    const { authenticator } = await signUp(service);
    const userHandle = handle(handleOf(authenticator));
    const credential = idOf(authenticator);
    const shapes = new Set<string>();
    for (const username of [victim.username, newUsername('unknown')]) {
      for (const named of [{}, { username }]) {
        const { options } = (await service.browser().post(startPath, { username })).body;
        const tamper = { credential, id: options.allowCredentials[0].id, userHandle };
        service.statements.length = 0;
        const answer = await logIn(service.browser(), authenticator, { ...named, tamper });
        expect(service.statements.slice(-2)).toEqual([
          expect.stringContaining('spent_challenges'),
          expect.stringContaining('audit_events'),
        ]);
        shapes.add(JSON.stringify(shapeOf(answer)));
      }
    }
    expect(shapes.size).toBe(1);
  },
);

/** Returns the last character with an unused bit set. The last base64url character of 64 bytes has four such bits. */
const spareBitSet = (handle: string) => ({ A: 'B', Q: 'R', g: 'h', w: 'x' })[handle.slice(-1)] ?? '';
