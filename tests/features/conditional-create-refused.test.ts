import type { CreateTampering } from 'latchkey/testing';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Answer, TestAgent } from '../support/agent.ts';
import { expectNoLoggedErrors } from '../support/logged-errors.ts';
import { times, together } from '../support/many-requests.ts';
import { addPasskey, newAuthenticator, newUsername } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { auditRowsOf } from './support/audit-log.ts';
import {
  addPath,
  expectNotAdded,
  prepareQuietly,
  startQuietly,
  unattended,
} from './support/conditional-create.ts';
import { brokenAuthenticatorData, crossOriginClientData } from './support/forgeries.ts';
import { enterByPassword, signUpWithOnlyPassword } from './support/passwords.ts';
import { startRecovering } from './support/recovery.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ bcryptCost: 4 });
});
afterAll(() => service.close());
afterEach(() => expectNoLoggedErrors(service));

describe('a credential that was created without a prompt (conditional create)', () => {
  test.each<[string, (browser: TestAgent) => Promise<Answer>]>([
    ['adding a passkey with a prompt', (browser) => browser.post(addPath, {})],
    ['a sign-up', (browser) => browser.post('/auth/passkey/register/start', { username: newUsername() })],
  ])('is rejected when its challenge was issued for %s', async (name, begin) => {
    const { browser } = await signUpWithOnlyPassword(service);
    for (const [flags, ofFlags] of [
      [unattended, 'user_not_present'],
      [{ uv: false }, 'user_not_verified'],
      [{ up: false }, 'user_not_present'],
    ] as const) {
      const { finish } = await prepareQuietly(browser, { flags }, { begin });
      const reason = name === 'a sign-up' ? 'challenge_of_another_kind' : ofFlags;
      await expectNotAdded(service, await finish(), reason);
    }
  });

  test('is rejected as the credential of a sign-up', async () => {
    const { browser } = await signUpWithOnlyPassword(service);
    const { options } = (await startQuietly(browser)).body;
    const credential = await newAuthenticator().create(options, { flags: unattended });
    const answer = await browser.post('/auth/passkey/register/verify', { credential });
    expectProblem(answer, 'registration_failed');
    expect(await auditRowsOf(service, answer)).toMatchObject([
      { event: 'account.signup', details: { reason: 'challenge_of_another_kind' } },
    ]);
  });

  test.each([
    ['login', 'passkey.login'],
    ['stepup', 'passkey.stepup'],
  ])('has a challenge that `/auth/passkey/%s/verify` rejects', async (ceremony, event) => {
    const { browser, authenticator } = await signUpWithOnlyPassword(service);
    const { challenge } = (await startQuietly(browser)).body.options;
    const { options } = (await browser.post(`/auth/passkey/${ceremony}/start`, {})).body;
    const credential = await authenticator.get({ ...options, challenge });
    const answer = await browser.post(`/auth/passkey/${ceremony}/verify`, { credential });
    expectProblem(answer, 'authentication_failed');
    expect(await auditRowsOf(service, answer)).toMatchObject([
      { event, details: { reason: 'challenge_of_another_kind' } },
    ]);
  });

  test('is rejected in a recovery session of the same browser', async () => {
    const person = await signUpWithOnlyPassword(service);
    const { browser: recovering } = await startRecovering(service, person);
    const { browser } = await enterByPassword(service, person);
    const { finish } = await prepareQuietly(browser);
    recovering.cookies.set('latchkey-binding', `${browser.cookies.get('latchkey-binding')}`);
    await expectNotAdded(service, await finish(recovering), 'session_not_by_password');
    expect((await recovering.get('/auth/session')).body.session.kind).toBe('recovery');
    expect((await browser.get('/auth/passkey/devices')).body.devices).toHaveLength(0);
  });

  test('is rejected after the session was authenticated with a passkey', async () => {
    const { browser } = await signUpWithOnlyPassword(service);
    const { finish } = await prepareQuietly(browser);
    await addPasskey(browser);
    await expectNotAdded(service, await finish(), 'session_not_by_password');
  });

  test('is rejected from another browser, and from another user in the same browser', async () => {
    const [mine, theirs] = [await signUpWithOnlyPassword(service), await signUpWithOnlyPassword(service)];
    const elsewhere = await prepareQuietly(mine.browser);
    await expectNotAdded(service, await elsewhere.finish(theirs.browser), 'challenge_of_another_browser');
    const { finish } = await prepareQuietly(mine.browser);
    theirs.browser.cookies.set('latchkey-binding', `${mine.browser.cookies.get('latchkey-binding')}`);
    await expectNotAdded(service, await finish(theirs.browser), 'challenge_of_another_user');
  });

  test('is accepted only once when 50 concurrent requests send it', async () => {
    const { browser } = await signUpWithOnlyPassword(service);
    const { finish } = await prepareQuietly(browser);
    const answers = await together(times(50, () => finish()));
    // After one request adds the passkey, the session has not used it. So the others get one of two errors.
    const codes = answers.map(({ status, body }) => (status === 201 ? 'added' : body.code));
    expect(codes.filter((code) => code === 'added')).toHaveLength(1);
    expect(new Set(codes)).toEqual(new Set(['added', ...codes.filter((code) => refusals.includes(code))]));
    expectProblem(await finish(), 'passkey_required');
  });

  const refusals = ['registration_failed', 'passkey_required'];

  const otherRules: [name: string, tamper: CreateTampering][] = [
    ...brokenAuthenticatorData
      .filter(([name]) => !/^without (UP|UV)/.test(name))
      .map(([name, { flags, ...rest }]): [string, CreateTampering] => [
        `it has authenticator data ${name}`,
        { ...rest, flags: { ...unattended, ...flags } },
      ]),
    ...crossOriginClientData.map(([name, clientData]): [string, CreateTampering] => [name, { clientData }]),
    ['the origin is another site', { clientData: { origin: 'https://evil.example' } }],
    ['the RP id is another site', { rpId: 'evil.example' }],
    ['the client data comes from a sign-in', { clientData: { type: 'webauthn.get' } }],
    ['the credential id is changed', { id: 'c29tZW9uZSBlbHNl' }],
    ['it has an attestation', { fmt: 'android-key' }],
  ];

  test.each(otherRules)('is rejected, like every new credential, if %s', async (_, tamper) => {
    const { browser } = await signUpWithOnlyPassword(service);
    const { finish } = await prepareQuietly(browser, tamper);
    expectProblem(await finish(), 'registration_failed');
  });
});
