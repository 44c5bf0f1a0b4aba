import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startFrozenService } from '../support/frozen-clock.ts';
import { logIn, newAuthenticator, stepUp } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import type { TestService } from '../support/test-service.ts';
import { auditRowsOf } from './support/audit-log.ts';
import { addPath, prepareQuietly, startQuietly, unattended } from './support/conditional-create.ts';
import {
  enterByPassword,
  signUpWithOnlyPassword,
  signUpWithPassword,
  stepUpByPassword,
} from './support/passwords.ts';
import { startRecovering } from './support/recovery.ts';

let service: TestService;
beforeAll(async () => {
  service = await startFrozenService({ bcryptCost: 4 });
});
afterAll(() => service.close());

describe('a passkey created without a prompt (conditional create)', () => {
  test('has options that do not require user verification', async () => {
    const { browser, authenticator } = await signUpWithOnlyPassword(service);
    const [credential] = authenticator.credentials;
    const { status, body } = await startQuietly(browser);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      options: {
        user: { id: credential?.userHandle },
        excludeCredentials: [],
        authenticatorSelection: { residentKey: 'required', userVerification: 'preferred' },
        attestation: 'none',
      },
    });
  });

  test.each([
    [false, false],
    [true, false],
    [true, true],
  ])('is added with the flags UP=%s and UV=%s, and its audit event says `conditional`', async (up, uv) => {
    const { browser } = await signUpWithOnlyPassword(service);
    const { finish } = await prepareQuietly(browser, { flags: { up, uv } });
    const answer = await finish();
    expect(answer.status).toBe(201);
    const { devices } = (await browser.get('/auth/passkey/devices')).body;
    expect(answer.body).toEqual({
      device: { ...devices[0], hasDefaultLabel: true },
      recoveryCodes: null,
    });
    expect(await auditRowsOf(service, answer)).toMatchObject([
      { event: 'passkey.add', outcome: 'success', details: { aaguid: devices[0].aaguid, conditional: true } },
    ]);
    // The new passkey does not change how the session was opened.
    expect((await browser.get('/auth/session')).body.session.method).toBe('password');
  });

  test('requires user presence and user verification for a sign-in, like every passkey', async () => {
    const { browser, username } = await signUpWithOnlyPassword(service);
    const { authenticator, finish } = await prepareQuietly(browser);
    await finish();
    for (const flags of [{ uv: false }, { up: false }]) {
      const refused = await logIn(service.browser(), authenticator, { tamper: { flags } });
      expectProblem(refused, 'authentication_failed');
    }
    const answer = await logIn(service.browser(), authenticator);
    expect([answer.status, answer.body.user.username]).toEqual([200, username]);
  });

  test('can also be added after a step-up with the password', async () => {
    const { browser } = await signUpWithOnlyPassword(service);
    await stepUpByPassword(browser);
    expect((await (await prepareQuietly(browser)).finish()).status).toBe(201);
  });
});

describe('starting to create a passkey without a prompt is rejected', () => {
  test('when the last sign-in or step-up of the session used a passkey', async () => {
    const person = await signUpWithPassword(service);
    expectProblem(await startQuietly(person.browser), 'forbidden');
    const { browser } = await enterByPassword(service, person);
    await stepUp(browser, person.authenticator);
    expectProblem(await startQuietly(browser), 'forbidden');
  });

  test('in a recovery session', async () => {
    const { browser } = await startRecovering(service);
    expectProblem(await startQuietly(browser), 'recovery_session');
  });

  test('more than ten minutes after the sign-in with the password', async () => {
    const { browser } = await signUpWithOnlyPassword(service);
    await service.turnClock({ minutes: 10, seconds: 1 });
    expectProblem(await startQuietly(browser), 'reauthentication_required');
  });

  test('when the request also contains a credential (the credential can still be added later)', async () => {
    const { browser } = await signUpWithOnlyPassword(service);
    const { options } = (await startQuietly(browser)).body;
    const credential = await newAuthenticator().create(options, { flags: unattended });
    expectProblem(await browser.post(addPath, { credential, conditional: true }), 'invalid_request', {
      errors: [{ path: 'conditional', message: expect.any(String) }],
    });
    expect((await browser.post(addPath, { credential })).status).toBe(201);
  });

  test.each([false, 'true', 1, null, {}])('when `conditional` is %j', async (conditional) => {
    const { browser } = await signUpWithOnlyPassword(service);
    expectProblem(await browser.post(addPath, { conditional }), 'invalid_request', {
      errors: [{ path: 'conditional', message: 'expected true' }],
    });
  });
});
