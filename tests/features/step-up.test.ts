import { flipLastBit, type GetTampering, type SoftwareAuthenticator } from 'latchkey/testing';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Answer, TestAgent } from '../support/agent.ts';
import { startFrozenService } from '../support/frozen-clock.ts';
import { expectNoLoggedErrors } from '../support/logged-errors.ts';
import { addPasskey, logIn, newAuthenticator, type Person, signUp, stepUp } from '../support/person.ts';
import { startSecondInstance } from '../support/second-instance.ts';
import type { TestService } from '../support/test-service.ts';
import { auditRowsOf } from './support/audit-log.ts';
import { challengesOtherThanOf } from './support/challenge-sources.ts';
import { currentSession, expectSessionCookie, isFresh, tokenOf } from './support/current-session.ts';
import { reasonOfRefusal } from './support/refused-sign-in.ts';
import { time } from './support/wire-format.ts';

const startPath = '/auth/passkey/stepup/start';
const verifyPath = '/auth/passkey/stepup/verify';

let service: TestService;
beforeAll(async () => {
  service = await startFrozenService();
});
afterAll(() => service.close());
afterEach(() => expectNoLoggedErrors(service));

/** Creates an assertion for a step-up without sending it. */
async function prepared(browser: TestAgent, authenticator: SoftwareAuthenticator, tamper?: GetTampering) {
  const { options } = (await browser.post(startPath, {})).body;
  return { browser, credential: await authenticator.get(options, tamper) };
}

const finish = ({ browser, credential }: { browser: TestAgent; credential: unknown }) =>
  browser.post(verifyPath, { credential });

const audited = (answer: Answer) => auditRowsOf(service, answer);
const reasonOf = (answer: Answer) => reasonOfRefusal(service, answer);

async function storedCounter({ signedUp }: Person): Promise<number> {
  const [row] = await service.database.sql`
    select counter from latchkey.passkeys where id = ${signedUp.body.passkey.id}`;
  return Number(row?.counter);
}

describe('`stepup/start`', () => {
  test('returns only the options, for the user’s own passkeys', async () => {
    const { browser, authenticator } = await signUp(service);
    const second = newAuthenticator({ transports: ['usb'] });
    expect((await addPasskey(browser, second)).status).toBe(201);
    await signUp(service);
    const answer = await browser.post(startPath, {});
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      options: {
        rpId: 'localhost',
        challenge: expect.stringMatching(/^[\w-]{43,}$/),
        allowCredentials: [
          { id: authenticator.credentials[0]?.id, type: 'public-key', transports: ['internal', 'hybrid'] },
          { id: second.credentials[0]?.id, type: 'public-key', transports: ['usb'] },
        ],
        timeout: 300_000,
        userVerification: 'required',
      },
    });
  });

  test('writes nothing to the database', async () => {
    const { browser } = await signUp(service);
    service.statements.length = 0;
    expect((await browser.post(startPath)).status).toBe(200);
    expect(service.statements.length).toBeGreaterThan(0);
    expect(service.statements.filter((text) => !/^\s*select\b/.test(text))).toEqual([]);
  });

  test('rejects any property in the body', async () => {
    const { browser } = await signUp(service);
    const answer = await browser.post(startPath, { username: 'another-user' });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ code: 'invalid_request', errors: [{ path: 'username' }] });
  });
});

describe('a step-up is rejected', () => {
  test.each([
    ['without a session', () => service.browser()],
    ['with an unknown session token', () => withSession('c29tZWJvZHkgZWxzZSBjaG9zZSB0aGlzIHRva2Vu')],
    ['with an empty session cookie', () => withSession('')],
  ])('%s', async (_, browser) => {
    for (const path of [startPath, verifyPath]) {
      const answer = await browser().post(path, { nonsense: true });
      expect(answer.status).toBe(401);
      expect(answer.body).toMatchObject({ code: 'not_authenticated' });
    }
  });

  test('in a recovery session', async () => {
    const { browser, signedUp } = await signUp(service);
    await service.database.sql`
      update latchkey.sessions set kind = 'recovery' where id = ${signedUp.body.session.id}`;
    for (const path of [startPath, verifyPath]) {
      const answer = await browser.post(path, {});
      expect([answer.status, answer.body.code]).toEqual([403, 'recovery_session']);
    }
  });

  test('if the user signs out after the ceremony starts', async () => {
    const { browser, authenticator } = await signUp(service);
    const kept = browser.copy();
    const ceremony = await prepared(browser, authenticator);
    await browser.delete('/auth/session');
    for (const sender of [browser, kept]) {
      const answer = await finish({ ...ceremony, browser: sender });
      expect([answer.status, answer.body.code]).toEqual([401, 'not_authenticated']);
    }
  });

  test('if the user is disabled after the ceremony starts', async () => {
    const { browser, authenticator, signedUp } = await signUp(service);
    const ceremony = await prepared(browser, authenticator);
    await service.database.sql`
      update latchkey.users set status = 'disabled' where id = ${signedUp.body.user.id}`;
    expect((await finish(ceremony)).body.code).toBe('not_authenticated');
  });

  function withSession(token: string): TestAgent {
    const browser = service.browser();
    browser.cookies.set('latchkey', token);
    return browser;
  }
});

describe('`stepup/verify`', () => {
  test('returns the session with new times and no other changes', async () => {
    const { browser, authenticator, signedUp } = await signUp(service);
    await service.turnClock({ minutes: 30 });
    const answer = await stepUp(browser, authenticator);
    expect(answer.status).toBe(200);
    const before = signedUp.body.session;
    const later = (iso: string) => new Date(Date.parse(iso) + 30 * 60_000).toISOString();
    expect(answer.body).toEqual({
      session: {
        ...before,
        authenticatedAt: later(before.authenticatedAt),
        lastSeenAt: later(before.lastSeenAt),
        expiresAt: later(before.expiresAt),
      },
    });
    expect(answer.body.session.authenticatedAt).toMatch(time);
    expect(await currentSession(browser)).toEqual(answer.body.session);
  });

  test('changes no data of the account except the passkey’s last use', async () => {
    const { browser, authenticator } = await signUp(service);
    const before = (await browser.get('/auth/session')).body.user;
    const [device] = (await browser.get('/auth/passkey/devices')).body.devices;
    await service.turnClock({ minutes: 1 });
    const answer = await stepUp(browser, authenticator);
    expect((await browser.get('/auth/session')).body.user).toEqual(before);
    expect((await browser.get('/auth/passkey/devices')).body.devices).toEqual([
      {
        ...device,
        lastUsedAt: answer.body.session.authenticatedAt,
        lastUsedIp: '127.0.0.1',
        lastUsedUserAgent: 'node',
      },
    ]);
    expect((await browser.get('/auth/sessions')).body.sessions).toHaveLength(1);
  });

  test('replaces the token and returns the new token only in the cookie', async () => {
    const { browser, authenticator } = await signUp(service);
    const old = browser.copy();
    const answer = await stepUp(browser, authenticator);
    const token = expectSessionCookie(browser, answer);
    expect(token).not.toBe(tokenOf(old));
    expect(JSON.stringify([answer.body, await service.auditRows()])).not.toContain(token);
    expect((await old.get('/auth/session')).status).toBe(401);
    expect((await browser.get('/auth/session')).status).toBe(200);
  });

  test('writes one audit row', async () => {
    const { username, browser, authenticator, signedUp } = await signUp(service);
    const answer = await stepUp(browser, authenticator);
    expect(await audited(answer)).toEqual([
      {
        event: 'passkey.stepup',
        outcome: 'success',
        actor_type: 'user',
        actor_name: username,
        target_type: 'passkey',
        target_id: signedUp.body.passkey.id,
        target_name: username,
        details: {},
      },
    ]);
  });

  test('does not change other sessions of the account', async () => {
    const { browser, authenticator } = await signUp(service);
    const elsewhere = service.browser();
    await logIn(elsewhere, authenticator);
    const before = await currentSession(elsewhere);
    await service.turnClock({ seconds: 30 });
    await stepUp(browser, authenticator);
    expect(await currentSession(elsewhere)).toEqual(before);
  });

  test('accepts any passkey of the account', async () => {
    const { browser, authenticator } = await signUp(service);
    const second = newAuthenticator();
    await addPasskey(browser, second);
    for (const own of [authenticator, second]) expect((await stepUp(browser, own)).status).toBe(200);
  });

  test('accepts a credential without a user handle, but rejects a wrong user handle', async () => {
    const { browser, authenticator } = await signUp(service);
    expect((await finish(await prepared(browser, authenticator, { userHandle: null }))).status).toBe(200);
    const answer = await finish(await prepared(browser, authenticator, { userHandle: 'AAAA' }));
    expect(await reasonOf(answer)).toBe('user_handle_mismatch');
  });

  test.each<[string, unknown, string]>([
    ['no credential', {}, 'credential'],
    ['a string as the credential', { credential: 'x' }, 'credential'],
    ['an empty credential', { credential: {} }, 'credential.id'],
  ])('rejects a body with %s', async (_, body, path) => {
    const { browser } = await signUp(service);
    const answer = await browser.post(verifyPath, body);
    expect(answer.status).toBe(400);
    expect(answer.body.code).toBe('invalid_request');
    expect(answer.body.errors[0].path).toBe(path);
  });
});

describe('a failed step-up', () => {
  test.each<[string, GetTampering, string]>([
    ['with a changed signature', { afterSigning: { signature: flipLastBit } }, 'signature_invalid'],
    ['without user verification', { flags: { uv: false } }, 'user_not_verified'],
    ['without user presence', { flags: { up: false } }, 'user_not_present'],
    ['from another origin', { clientData: { origin: 'https://evil.example' } }, 'origin_mismatch'],
    ['with the type of a registration', { clientData: { type: 'webauthn.create' } }, 'type_mismatch'],
    ['for another RP id', { rpId: 'evil.example' }, 'rp_id_mismatch'],
    ['from a cross-origin frame', { clientData: { crossOrigin: true } }, 'cross_origin'],
    ['with changed backup eligibility', { flags: { be: false, bs: false } }, 'backup_eligibility_changed'],
    ['with an unknown credential', { id: 'c29tZW9uZSBlbHNl' }, 'credential_unknown'],
  ])('%s does not change the session', async (_, tamper, reason) => {
    const { username, browser, authenticator } = await signUp(service);
    const before = await currentSession(browser);
    await service.turnClock({ seconds: 5 });
    const answer = await finish(await prepared(browser, authenticator, tamper));
    expect(await reasonOf(answer)).toBe(reason);
    expect(await audited(answer)).toMatchObject([{ event: 'passkey.stepup', actor_name: username }]);
    expect(await currentSession(browser)).toEqual(before);
  });

  test('with another user’s passkey does not update the counter of this passkey', async () => {
    const { browser } = await signUp(service);
    const other = await signUp(service, { authenticator: newAuthenticator({ counter: 5 }) });
    const credential = other.authenticator.credentials[0]?.id ?? '';
    for (const tamper of [{ credential }, { credential, userHandle: undefined }]) {
      const answer = await finish(await prepared(browser, other.authenticator, tamper));
      expect(await reasonOf(answer)).toBe('credential_of_another_user');
    }
    expect(await storedCounter(other)).toBe(5);
  });

  test('in a ceremony that the browser’s previous user started does not update the passkey’s counter', async () => {
    const before = await signUp(service, { authenticator: newAuthenticator({ counter: 5 }) });
    const { browser } = before;
    const ceremony = await prepared(browser, before.authenticator);
    const after = await signUp(service, { browser });
    await service.turnClock({ seconds: 5 });
    const answer = await finish(ceremony);
    expect(await reasonOf(answer)).toBe('challenge_of_another_user');
    expect(await audited(answer)).toMatchObject([
      { event: 'passkey.stepup', actor_name: after.username, target_id: before.signedUp.body.passkey.id },
    ]);
    expect(await storedCounter(before)).toBe(5);
    expect((await currentSession(browser)).authenticatedAt).toBe(after.signedUp.body.session.authenticatedAt);
  });

  test('with a counter that does not increase is recorded as a suspected clone', async () => {
    const person = await signUp(service, { authenticator: newAuthenticator({ counter: 5 }) });
    const before = await currentSession(person.browser);
    const answer = await finish(await prepared(person.browser, person.authenticator, { signCount: 5 }));
    expect(await reasonOf(answer)).toBe('counter_not_increased');
    expect(await audited(answer)).toMatchObject([
      { event: 'passkey.clone_suspected', actor_name: person.username, target_name: person.username },
    ]);
    expect(await currentSession(person.browser)).toEqual(before);
    expect((await stepUp(person.browser, person.authenticator)).status).toBe(200);
  });

  test('in a session that ends during the request does not update the passkey’s counter', async () => {
    const person = await signUp(service, { authenticator: newAuthenticator({ counter: 5 }) });
    const end = (statement: string) =>
      statement.includes('update latchkey.sessions') &&
      service.database.sql`delete from latchkey.sessions where id = ${person.signedUp.body.session.id}`;
    const node = await startSecondInstance(service, {}, end);
    try {
      const ceremony = await prepared(node.browser(person.browser.cookies), person.authenticator);
      const answer = await finish(ceremony);
      expect(await reasonOf(answer)).toBe('concurrent_change');
      expect(await audited(answer)).toMatchObject([{ event: 'passkey.stepup' }]);
      expect(await storedCounter(person)).toBe(5);
    } finally {
      await node.close();
    }
  });
});

describe('the challenge of a step-up', () => {
  test('is accepted once if it is sent fifty times concurrently, and one token stays valid', async () => {
    for (let round = 0; round < 3; round += 1) {
      const { browser, authenticator, signedUp } = await signUp(service);
      const { credential } = await prepared(browser, authenticator);
      const copies = Array.from({ length: 50 }, () => browser.copy());
      const answers = await Promise.all(copies.map((copy) => finish({ browser: copy, credential })));
      const succeeded = answers.filter(({ status }) => status === 200);
      expect(succeeded).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 401)).toHaveLength(49);
      const checks = await Promise.all(copies.map((copy) => copy.get('/auth/session')));
      const sessions = checks.filter(({ status }) => status === 200).map(({ body }) => body.session.id);
      expect(sessions).toEqual([signedUp.body.session.id]);
    }
  });

  test('is used up by a success and by a failure', async () => {
    const { browser, authenticator } = await signUp(service);
    const tampers: GetTampering[] = [{}, { flags: { uv: false } }];
    for (const tamper of tampers) {
      const { options } = (await browser.post(startPath, {})).body;
      await finish({ browser, credential: await authenticator.get(options, tamper) });
      const again = await finish({ browser, credential: await authenticator.get(options) });
      expect(await reasonOf(again)).toBe('challenge_spent');
    }
  });

  test.each(challengesOtherThanOf('a step-up'))(
    'cannot come from %s, and the attempt uses up the challenge',
    async (_, start) => {
      const { browser, authenticator } = await signUp(service);
      const { challenge } = (await start(browser)).body.options;
      const { options } = (await browser.post(startPath, {})).body;
      const attempt = async () =>
        finish({ browser, credential: await authenticator.get({ ...options, challenge }) });
      expect(await reasonOf(await attempt())).toBe('challenge_of_another_kind');
      expect(await reasonOf(await attempt())).toBe('challenge_spent');
    },
  );

  test('is rejected and used up if it is sent from another browser of the same user', async () => {
    const { browser, authenticator } = await signUp(service);
    const elsewhere = service.browser();
    await logIn(elsewhere, authenticator);
    const { credential } = await prepared(browser, authenticator);
    expect(await reasonOf(await finish({ browser: elsewhere, credential }))).toBe(
      'challenge_of_another_browser',
    );
    expect(await reasonOf(await finish({ browser, credential }))).toBe('challenge_spent');
  });

  test('expires after PASSKEY_TIMEOUT', async () => {
    const { browser, authenticator } = await signUp(service);
    const inTime = await prepared(browser, authenticator);
    await service.turnClock({ minutes: 4, seconds: 45 });
    expect((await finish(inTime)).status).toBe(200);
    const late = await prepared(browser, authenticator);
    await service.turnClock({ minutes: 5 });
    expect(await reasonOf(await finish(late))).toBe('challenge_expired');
  });
});

describe('fresh authentication', () => {
  test('lasts ten minutes after a sign-up and after a step-up', async () => {
    const { browser, authenticator } = await signUp(service);
    for (let round = 0; round < 2; round += 1) {
      await service.turnClock({ minutes: 9, seconds: 59 });
      expect(await isFresh(browser)).toBe(true);
      await service.turnClock({ seconds: 2 });
      const answer = await browser.post('/auth/passkey/devices/add', {});
      expect([answer.status, answer.body.code]).toEqual([403, 'reauthentication_required']);
      expect((await stepUp(browser, authenticator)).status).toBe(200);
      expect(await isFresh(browser)).toBe(true);
    }
  });

  test('lasts ten minutes after a sign-in', async () => {
    const { authenticator } = await signUp(service);
    await service.turnClock({ minutes: 60 });
    const browser = service.browser();
    await logIn(browser, authenticator);
    await service.turnClock({ minutes: 9, seconds: 59 });
    expect(await isFresh(browser)).toBe(true);
    await service.turnClock({ seconds: 2 });
    expect(await isFresh(browser)).toBe(false);
  });

  test('is not extended by using the session', async () => {
    const { browser } = await signUp(service);
    for (let minute = 0; minute < 11; minute += 1) {
      await service.turnClock({ minutes: 1 });
      expect((await browser.get('/auth/session')).status).toBe(200);
    }
    expect(await isFresh(browser)).toBe(false);
  });

  test('is not restored by a failed step-up', async () => {
    const { browser, authenticator } = await signUp(service);
    await service.turnClock({ minutes: 11 });
    await finish(await prepared(browser, authenticator, { flags: { uv: false } }));
    expect(await isFresh(browser)).toBe(false);
  });

  test('is restored only in the session of the step-up', async () => {
    const { browser, authenticator } = await signUp(service);
    const elsewhere = service.browser();
    await logIn(elsewhere, authenticator);
    await service.turnClock({ minutes: 11 });
    await stepUp(browser, authenticator);
    expect([await isFresh(browser), await isFresh(elsewhere)]).toEqual([true, false]);
  });
});
