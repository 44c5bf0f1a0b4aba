import { flipLastBit, type GetTampering, type SoftwareAuthenticator } from 'latchkey/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer, TestAgent } from '../support/agent.ts';
import { addPasskey, logIn, newAuthenticator, newUsername, signUp, signUpStart } from '../support/person.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { setStatus } from './support/accounts.ts';
import { deleteAccount } from './support/authority.ts';
import { challengesOtherThanOf } from './support/challenge-sources.ts';
import { reasonOfRefusal, shapeOf } from './support/refused-sign-in.ts';

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
const reasonBesideTold = (answer: Answer) => reasonOfRefusal(service, answer, 'unknown_credential');

/** Somebody who has removed the passkey that is on this authenticator, and goes on with another. */
async function withRemovedPasskey() {
  const person = await signUp(service);
  const removed = newAuthenticator();
  const { device } = (await addPasskey(person.browser, removed)).body;
  expect((await person.browser.delete(`/auth/passkey/devices/${device.id}`)).status).toBe(204);
  return { ...person, removed };
}

/** A login whose assertion is ready, with its own challenge or another. */
async function prepared(authenticator: SoftwareAuthenticator, browser: TestAgent, tamper: GetTampering = {}) {
  const { options } = (await browser.post(startPath, {})).body;
  const credential = await authenticator.get(options, tamper);
  return (from = browser) => from.post(verifyPath, { credential });
}

describe('a browser is told to forget a passkey', () => {
  test('that its account has removed, and the audit log keeps the reason', async () => {
    const { username, removed } = await withRemovedPasskey();
    for (const named of [{}, { username }, { username: newUsername() }]) {
      const tamper = { credential: idOf(removed) };
      const answer = await logIn(service.browser(), removed, { ...named, tamper });
      expect(await reasonBesideTold(answer)).toBe('credential_unknown');
    }
  });

  test('of an account that was deleted', async () => {
    const { browser, authenticator } = await signUp(service);
    expect((await deleteAccount(browser)).status).toBe(204);
    expect(await reasonBesideTold(await logIn(service.browser(), authenticator))).toBe('credential_unknown');
  });

  test('in the round trips and statements of any refusal', async () => {
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
    const nobody = { userHandle: 'AAAA' };
    expect(await statementsOf(await prepared(removed, service.browser(), nobody))).toEqual(known);
  });
});

describe('a browser is not told to forget a passkey', () => {
  test('that was made for an account that never came to be', async () => {
    const stranger = newAuthenticator();
    await stranger.create(await signUpStart(service.browser()));
    expect(await reasonOf(await logIn(service.browser(), stranger))).toBe('credential_unknown');
  });

  test.each<[string, (handle: string) => string | null | undefined]>([
    ['without its user handle', () => undefined],
    ['with null for it', () => null],
    ['with an empty one', () => ''],
    ['with one cut short', (handle) => handle.slice(0, -2)],
    ['with a longer one', (handle) => `${handle}AA`],
    ['with one of thirty thousand bytes', () => 'A'.repeat(40_000)],
    ['with another spelling of the same bytes', (handle) => handle.slice(0, -1) + spareBitSet(handle)],
    ['with one that looks like a pattern', () => '____'],
  ])('%s', async (_, change) => {
    const { username, removed } = await withRemovedPasskey();
    const tamper = { credential: idOf(removed), userHandle: change(handleOf(removed)) };
    for (const named of [{}, { username }]) {
      const answer = await logIn(service.browser(), removed, { ...named, tamper });
      expect(await reasonOf(answer)).toBe('credential_unknown');
    }
  });

  test('that is there, whatever is wrong with its assertion or with its account', async () => {
    const person = await signUp(service);
    for (const tamper of [
      { afterSigning: { signature: flipLastBit } },
      { flags: { uv: false } },
      { clientData: { crossOrigin: true } },
    ]) {
      await reasonOf(await logIn(service.browser(), person.authenticator, { tamper }));
    }
    await setStatus(service, person, 'disabled');
    expect(await reasonOf(await logIn(service.browser(), person.authenticator))).toBe('user_disabled');
  });

  test.each<[string, (authenticator: SoftwareAuthenticator) => Promise<Answer>]>([
    [
      'spent',
      async (authenticator) => {
        const finish = await prepared(authenticator, service.browser());
        await finish();
        return finish();
      },
    ],
    [
      'of another browser',
      async (authenticator) => (await prepared(authenticator, service.browser()))(service.browser()),
    ],
    [
      'made up',
      async (authenticator) =>
        (await prepared(authenticator, service.browser(), { clientData: { challenge: 'AAAA' } }))(),
    ],
  ])('by a challenge that is %s', async (_, attempt) => {
    const { removed } = await withRemovedPasskey();
    await reasonOf(await attempt(removed));
  });

  test.each(challengesOtherThanOf('a login'))('by a challenge of %s', async (_, start) => {
    const { browser, removed } = await withRemovedPasskey();
    const { challenge } = (await start(browser)).body.options;
    const finish = await prepared(removed, browser, { clientData: { challenge } });
    expect(await reasonOf(await finish())).toBe('challenge_of_another_kind');
  });

  test('in a step-up, which has named the passkeys itself', async () => {
    const { browser, authenticator, signedUp } = await signUp(service);
    const { options } = (await browser.post('/auth/passkey/stepup/start', {})).body;
    const credential = await authenticator.get(options);
    await service.database.sql`delete from latchkey.passkeys where id = ${signedUp.body.passkey.id}`;
    const answer = await browser.post('/auth/passkey/stepup/verify', { credential });
    expect(await reasonOf(answer)).toBe('credential_unknown');
  });
});

// Everybody knows one user handle: their own. With it nobody is to find out which listed ids are real.
test.each([
  ['with one’s own user handle', (handle: string) => handle],
  ['with a user handle of nobody', () => 'AAAA'],
  ['without one', () => null],
])('a decoy and somebody else’s passkey are answered alike %s, byte for byte', async (_, handle) => {
  const victim = await signUp(service);
  const { authenticator } = await signUp(service);
  const userHandle = handle(handleOf(authenticator));
  const credential = idOf(authenticator);
  const shapes = new Set<string>();
  for (const username of [victim.username, newUsername('nobody')]) {
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
});

/** The last character of 64 bytes in base64url has four bits to spare; ours are zero. */
const spareBitSet = (handle: string) => ({ A: 'B', Q: 'R', g: 'h', w: 'x' })[handle.slice(-1)] ?? '';
