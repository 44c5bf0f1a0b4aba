import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSealer } from '../../src/core/sealing.ts';
import { newAuthenticator, newUsername, signUpStart } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { secret, startTestService, type TestService } from '../support/test-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

/** Finishes a sign-up with a challenge that the test encrypts with the service's secret, for any username. */
async function signUpWithForgedChallenge(username: string) {
  const browser = service.browser();
  const options = await signUpStart(browser);
  const challenge = createSealer([secret]).seal('ceremony', {
    ceremony: { kind: 'signup', username, displayName: null, userHandle: options.user.id },
    browser: browser.cookies.get('latchkey-binding'),
    expiresAt: Date.now() + 60_000,
  });
  const credential = await newAuthenticator().create({ ...options, challenge });
  return { browser, answer: await browser.post('/auth/passkey/register/verify', { credential }) };
}

const rows = async () => {
  const { sql } = service.database;
  const [counts] = await sql`
    select (select count(*)::int from latchkey.users) as users,
      (select count(*)::int from latchkey.passkeys) as passkeys,
      (select count(*)::int from latchkey.sessions) as sessions`;
  return counts;
};

test('the forged challenges of these tests are valid: one with an acceptable name creates an account', async () => {
  const { answer } = await signUpWithForgedChallenge(newUsername());
  expect(answer.status).toBe(201);
});

describe('a holder of the secret, or an older process in a rolling upgrade, cannot create an account', () => {
  test.each<[what: string, username: string, audited: string | null]>([
    ['with a reserved name', 'superadmin', 'superadmin'],
    ['with a second reserved name', 'admin', 'admin'],
    ['with a name that looks like a reserved name', 'adm1n', 'adm1n'],
    ['with a capital letter in the name', 'Ada', 'ada'],
    ['with a space before the name', ' ada', 'ada'],
    ['with fullwidth letters in the name', 'ａｄａ', 'ada'],
    ['with a right-to-left override', 'ada\u202e', null],
    ['with a zero-width space', 'a\u200bda', null],
    ['with a Cyrillic look-alike', '\u0430da', null],
    ['with a line break', 'ada\r\nlove', null],
    ['without a name', '', null],
    ['with a name that is too long', 'x'.repeat(300), null],
  ])('%s', async (_, username, audited) => {
    const before = await rows();
    const { browser, answer } = await signUpWithForgedChallenge(username);
    expectProblem(answer, 'username_unacceptable');
    expect(await rows()).toEqual(before);
    expect(browser.cookies.has('latchkey')).toBe(false);
    const [entry] = (await service.auditRows()).slice(-1);
    expect(entry).toMatchObject({
      event: 'account.signup',
      outcome: 'failure',
      actor_type: 'anonymous',
      target_type: 'user',
      target_id: null,
      target_name: audited,
      details: { reason: 'username_unacceptable' },
      request_id: answer.headers.get('x-request-id'),
    });
  });
});
