import { truncateBy } from 'latchkey/testing';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Answer, TestAgent } from '../support/agent.ts';
import { fullWidth } from '../support/full-width.ts';
import { expectNoLoggedErrors } from '../support/logged-errors.ts';
import { logIn, newAuthenticator, newUsername, signUp, signUpStart } from '../support/person.ts';
import { problemOf } from '../support/problem.ts';
import { randomBytesOf } from '../support/random.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { challengesOtherThanOf } from './support/challenge-sources.ts';
import { sessionBegunAt, time, uuid } from './support/wire-format.ts';

const randomBytes = randomBytesOf('features/sign-up');

const startPath = '/auth/passkey/register/start';
const verifyPath = '/auth/passkey/register/verify';
const onePassword = 'bada5566-a7aa-401f-bd96-45619a55120d';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ passkeyTimeoutMs: 120_000, rpName: 'Ferry Tickets' });
});
afterAll(() => service.close());
afterEach(() => expectNoLoggedErrors(service));

/** The number of rows in each table. */
async function rowCounts(): Promise<Record<string, number>> {
  const { sql } = service.database;
  const tables = await sql<{ name: string }[]>`
    select table_name as name from information_schema.tables where table_schema = 'latchkey'`;
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    const [row] = await sql<[{ rows: number }]>`select count(*)::int as rows from latchkey.${sql(name)}`;
    counts[name] = row.rows;
  }
  return counts;
}

/** The audit rows of one request. */
const audited = (answer: Answer) =>
  service.database.sql`
    select event, outcome, actor_name, target_type, target_id, target_name, details
    from latchkey.audit_events where request_id = ${answer.headers.get('x-request-id')}`;

/** Creates a passkey for a sign-up without sending it. */
async function prepared(username: string, browser = service.browser(), authenticator = newAuthenticator()) {
  return { browser, credential: await authenticator.create(await signUpStart(browser, username)) };
}

const finish = ({ browser, credential }: { browser: TestAgent; credential: unknown }) =>
  browser.post(verifyPath, { credential });

function tally(answers: Answer[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status, body } of answers) {
    const outcome = body.code ? `${status} ${body.code}` : `${status}`;
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  return counts;
}

test('a user signs up with only a username and a passkey, and is signed in', async () => {
  const username = newUsername();
  const { browser, signedUp } = await signUp(service, { username });
  expect(signedUp.status).toBe(201);
  expect(signedUp.body.user).toMatchObject({ username, role: 'user', status: 'active', displayName: null });
  const session = await browser.get('/auth/session');
  expect(session.body.user).toEqual({
    ...signedUp.body.user,
    hasPassword: false,
    passkeyCount: 1,
    recoveryCodesRemaining: 0,
  });
});

describe('`register/start`', () => {
  test('returns only the creation options', async () => {
    const username = newUsername();
    const answer = await service.browser().post(startPath, { username, displayName: 'Ada Lovelace' });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      options: {
        rp: { id: 'localhost', name: 'Ferry Tickets' },
        user: { id: expect.any(String), name: username, displayName: 'Ada Lovelace' },
        challenge: expect.stringMatching(/^[\w-]{43,}$/),
        pubKeyCredParams: [-8, -7, -257].map((alg) => ({ alg, type: 'public-key' })),
        timeout: 120_000,
        attestation: 'none',
        excludeCredentials: [],
        authenticatorSelection: {
          residentKey: 'required',
          requireResidentKey: true,
          userVerification: 'required',
        },
        extensions: { credProps: true },
        hints: [],
      },
    });
  });

  test('returns a new user handle of 64 random bytes each time', async () => {
    const username = newUsername();
    const handles = await Promise.all(
      Array.from({ length: 8 }, async () => (await signUpStart(service.browser(), username)).user.id),
    );
    expect(new Set(handles).size).toBe(8);
    for (const handle of handles) {
      expect(Buffer.from(handle, 'base64url')).toHaveLength(64);
      expect(Buffer.from(handle, 'base64url').toString('latin1')).not.toContain(username);
    }
  });

  test('returns the user handle that the account gets', async () => {
    const { authenticator, signedUp } = await signUp(service);
    const [user] = await service.database.sql`
      select user_handle from latchkey.users where id = ${signedUp.body.user.id}`;
    expect(user?.user_handle).toBe(authenticator.credentials[0]?.userHandle);
  });

  test('returns a challenge that does not reveal the username or the kind of ceremony', async () => {
    const username = newUsername();
    const options = await signUpStart(service.browser(), username);
    const challenge = Buffer.from(options.challenge, 'base64url').toString('latin1');
    expect(challenge).not.toContain(username);
    expect(challenge).not.toContain('signup');
  });

  test('never returns the same challenge twice', async () => {
    const browser = service.browser();
    const username = newUsername();
    const given = await Promise.all(Array.from({ length: 20 }, () => signUpStart(browser, username)));
    expect(new Set(given.map(({ challenge }) => challenge)).size).toBe(20);
  });

  test('uses the username as the display name by default', async () => {
    const username = newUsername();
    expect((await signUpStart(service.browser(), username)).user.displayName).toBe(username);
  });

  test('writes nothing to the database, whether it succeeds or fails', async () => {
    const { username } = await signUp(service);
    const before = await rowCounts();
    expect(before.users).toBeGreaterThan(0);
    service.statements.length = 0;
    const browser = service.browser();
    for (const name of [newUsername(), newUsername(), username, 'admin', 'no good']) {
      await browser.post(startPath, { username: name });
    }
    expect(await rowCounts()).toEqual(before);
    expect(service.statements.filter((text) => !/^\s*select\b/.test(text))).toEqual([]);
  });

  test('does not reserve the username: the user who finishes first gets the username', async () => {
    const username = newUsername();
    const slow = await prepared(username);
    expect((await finish(await prepared(username))).status).toBe(201);
    expect((await finish(slow)).body.code).toBe('username_taken');
  });

  test('rejects a taken username', async () => {
    const { username } = await signUp(service);
    const answer = await service.browser().post(startPath, { username });
    expect(answer.status).toBe(409);
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    expect(answer.body).toEqual({
      ...problemOf('username_taken'),
    });
  });

  test.each([
    ['with two characters', 'ab', 'invalid'],
    ['with 33 characters', 'a'.repeat(33), 'invalid'],
    ['with ten thousand characters', 'a'.repeat(10_000), 'invalid'],
    ['without characters', '', 'invalid'],
    ['with only spaces', '    ', 'invalid'],
    ['with a space inside', 'ada lovelace', 'invalid'],
    ['that is an email address', 'ada@example.org', 'invalid'],
    ['with a leading dot', '.ada', 'invalid'],
    ['with a trailing hyphen', 'ada-', 'invalid'],
    ['with a slash', 'ada/admin', 'invalid'],
    ['with a Cyrillic look-alike', '\u0430da', 'invalid'],
    ['with a zero-width space', 'ad\u200ba', 'invalid'],
    ['with a right-to-left override', '\u202eada', 'invalid'],
    ['with a line break inside', 'ada\nlovelace', 'invalid'],
    ['with an emoji', 'ada😀', 'invalid'],
    ['that is reserved', 'admin', 'reserved'],
    ['that is reserved, in capitals', 'ADMIN', 'reserved'],
    ['that is reserved, in fullwidth letters', 'ａｄｍｉｎ', 'reserved'],
    ['that is reserved, between spaces', ' superadmin ', 'reserved'],
  ])('rejects a username %s', async (_, username, reason) => {
    const answer = await service.browser().post(startPath, { username });
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({
      ...problemOf('username_unacceptable'),
      reason,
    });
  });

  test.each<[string, unknown, string]>([
    ['no username', {}, 'username'],
    ['a number as the username', { username: 42 }, 'username'],
    ['null as the username', { username: null }, 'username'],
    ['a list as the username', { username: ['ada-lovelace'] }, 'username'],
    ['a NUL character in the username', { username: 'ada\u0000lovelace' }, 'username'],
    ['a lone surrogate in the username', { username: 'ada\ud800lovelace' }, 'username'],
    ['an empty display name', { username: 'ada-lovelace', displayName: '' }, 'displayName'],
    ['a blank display name', { username: 'ada-lovelace', displayName: '  ' }, 'displayName'],
    [
      'a display name of 65 characters',
      { username: 'ada-lovelace', displayName: 'é'.repeat(65) },
      'displayName',
    ],
    ['a line break in the display name', { username: 'ada-lovelace', displayName: 'Ada\nL' }, 'displayName'],
    ['null as the display name', { username: 'ada-lovelace', displayName: null }, 'displayName'],
    ['a role', { username: 'ada-lovelace', role: 'superadmin' }, 'role'],
    ['a user id', { username: 'ada-lovelace', userId: 'x' }, 'userId'],
    ['a list as the body', [], ''],
    ['a string as the body', 'ada-lovelace', ''],
  ])('rejects a request with %s', async (_, body, path) => {
    const answer = await service.browser().post(startPath, body);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ code: 'invalid_request', errors: [{ path }] });
  });
});

describe('`register/verify`', () => {
  test('returns exactly the user, the passkey and the session', async () => {
    const username = newUsername();
    const browser = service.browser();
    const { options } = (await browser.post(startPath, { username, displayName: ' Ada  L. ' })).body;
    const credential = await newAuthenticator().create(options);
    const answer = await browser.post(verifyPath, { credential, label: 'Blue key' });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      user: {
        id: expect.stringMatching(uuid),
        username,
        displayName: 'Ada  L.',
        role: 'user',
        status: 'active',
        createdAt: expect.stringMatching(time),
      },
      passkey: {
        id: expect.stringMatching(uuid),
        label: 'Blue key',
        provider: null,
        aaguid: '00000000-0000-0000-0000-000000000000',
        transports: ['internal', 'hybrid'],
        attested: false,
        backupEligible: true,
        backedUp: true,
        createdAt: expect.stringMatching(time),
        lastUsedAt: null,
        lastUsedIp: null,
        lastUsedUserAgent: null,
        current: true,
        hasDefaultLabel: false,
      },
      session: sessionBegunAt(answer.body.session.createdAt),
    });
  });

  test('returns the session token only in the session cookie', async () => {
    const { browser, signedUp } = await signUp(service);
    const token = browser.cookies.get('latchkey') ?? '';
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    const lines = signedUp.headers.getSetCookie();
    expect(lines).toEqual([`latchkey=${token}; Path=/; HttpOnly; SameSite=Lax; Max-Age=2592000`]);
    expect(JSON.stringify(signedUp.body)).not.toContain(token);
    expect(JSON.stringify(await service.auditRows())).not.toContain(token);
    expect(JSON.stringify(await service.database.sql`select * from latchkey.sessions`)).not.toContain(token);
  });

  test('creates the account, the passkey, the session and the audit row in one statement', async () => {
    const ceremony = await prepared(newUsername());
    service.statements.length = 0;
    const answer = await finish(ceremony);
    expect(service.statements).toHaveLength(2);
    const { user, passkey } = answer.body;
    expect(await audited(answer)).toEqual([
      {
        event: 'account.signup',
        outcome: 'success',
        actor_name: user.username,
        target_type: 'user',
        target_id: user.id,
        target_name: user.username,
        details: { passkeyId: passkey.id, aaguid: passkey.aaguid },
      },
    ]);
  });

  test.each([
    ['the provider’s name if the provider is known', onePassword, '1Password', '1Password'],
    ['“Passkey” if the provider is unknown', '12345678-9abc-4def-8123-456789abcdef', 'Passkey', null],
  ])('labels a passkey with %s', async (_, aaguid, label, provider) => {
    const { signedUp } = await signUp(service, { authenticator: newAuthenticator({ aaguid }) });
    expect(signedUp.body.passkey).toMatchObject({ aaguid, label, provider });
  });

  test.each([
    ['unchanged', 'Work laptop', 'Work laptop'],
    ['without spaces at its ends', ' Work laptop\u00a0', 'Work laptop'],
    ['in composed Unicode form (NFC)', 'Cle\u0301', 'Cl\u00e9'],
    ['unchanged if it has 64 characters with two UTF-16 code units each', '🗝'.repeat(64), '🗝'.repeat(64)],
    ['unchanged if it contains markup or SQL', `<b>'; drop table users --`, `<b>'; drop table users --`],
  ])(
    'uses the label from the request instead of the provider’s name, and stores the label %s',
    async (_, label, stored) => {
      const authenticator = newAuthenticator({ aaguid: onePassword });
      const { browser, credential } = await prepared(newUsername(), service.browser(), authenticator);
      const answer = await browser.post(verifyPath, { credential, label });
      expect(answer.body.passkey).toMatchObject({ label: stored, provider: '1Password' });
    },
  );

  test.each<[string, unknown]>([
    ['that is empty', ''],
    ['that is blank', '   '],
    ['of 65 characters', 'x'.repeat(65)],
    ['with a control character', 'Work\u0007laptop'],
    ['with a NUL character', 'Work\u0000laptop'],
    ['that is a number', 7],
    ['that is null', null],
  ])('rejects a label %s and does not use up the challenge', async (_, label) => {
    const ceremony = await prepared(newUsername());
    const answer = await ceremony.browser.post(verifyPath, { credential: ceremony.credential, label });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ code: 'invalid_request', errors: [{ path: 'label' }] });
    expect((await finish(ceremony)).status).toBe(201);
  });

  test('rejects unknown properties', async () => {
    const ceremony = await prepared(newUsername());
    for (const member of ['role', 'userId', 'username', 'version']) {
      const body = { credential: ceremony.credential, [member]: 'superadmin' };
      const answer = await ceremony.browser.post(verifyPath, body);
      expect(answer.status).toBe(400);
      expect(answer.body.errors).toEqual([{ path: member, message: 'this property is unknown' }]);
    }
  });

  test('stores the flags, the transports and the counter that the authenticator reports', async () => {
    const authenticator = newAuthenticator({
      backupEligible: false,
      transports: ['usb', 'nfc', 'usb'],
      counter: 9,
    });
    const { signedUp } = await signUp(service, { authenticator });
    expect(signedUp.body.passkey).toMatchObject({
      backupEligible: false,
      backedUp: false,
      transports: ['usb', 'nfc'],
    });
    const [row] = await service.database.sql`
      select counter from latchkey.passkeys where id = ${signedUp.body.passkey.id}`;
    expect(Number(row?.counter)).toBe(9);
  });
});

describe('different spellings of a username', () => {
  test.each<[string, (username: string) => string]>([
    ['capitals', (username) => username.toUpperCase()],
    ['mixed case', (username) => username.replace(/^./, (first) => first.toUpperCase())],
    ['fullwidth letters', fullWidth],
    ['fullwidth capitals', (username) => fullWidth(username.toUpperCase())],
    ['mathematical letters', (username) => username.replace('p', '𝓅').replace('e', '𝐄')],
    ['spaces at the ends', (username) => `  ${username} `],
  ])('with %s are the same username', async (_, variant) => {
    const { username } = await signUp(service);
    expect(variant(username)).not.toBe(username);
    const answer = await service.browser().post(startPath, { username: variant(username) });
    expect([answer.status, answer.body.code]).toEqual([409, 'username_taken']);

    const fresh = newUsername();
    const { signedUp } = await signUp(service, { username: variant(fresh) });
    expect(signedUp.body.user.username).toBe(fresh);
  });

  test('create one account in twenty concurrent sign-ups', async () => {
    for (let round = 0; round < 5; round += 1) {
      const username = newUsername();
      const variants = [username, username.toUpperCase(), fullWidth(username), ` ${username}`];
      const ceremonies = await Promise.all(
        Array.from({ length: 20 }, (_, at) => prepared(variants[at % variants.length] ?? username)),
      );
      const answers = await Promise.all(ceremonies.map(finish));
      expect(tally(answers)).toEqual({ 201: 1, '409 username_taken': 19 });

      const { sql } = service.database;
      const users = await sql`select id from latchkey.users where username = ${username}`;
      expect(users).toHaveLength(1);
      const id = users[0]?.id;
      expect(id).toBe(answers.find(({ status }) => status === 201)?.body.user.id);
      expect(await sql`select id from latchkey.passkeys where user_id = ${id}`).toHaveLength(1);
      expect(await sql`select id from latchkey.sessions where user_id = ${id}`).toHaveLength(1);
      const outcomes = await sql`
        select outcome, details->>'reason' as reason, count(*)::int as rows from latchkey.audit_events
        where event = 'account.signup' and target_name = ${username} group by 1, 2 order by 1`;
      expect([...outcomes]).toEqual([
        { outcome: 'failure', reason: 'username_taken', rows: 19 },
        { outcome: 'success', reason: null, rows: 1 },
      ]);
      const credentialIds = ceremonies.map(({ credential }) => credential.id);
      expect(
        await sql`select id from latchkey.passkeys where credential_id = any(${credentialIds})`,
      ).toHaveLength(1);
    }
  });
});

describe('the challenge of a sign-up', () => {
  test('is accepted once if it is sent fifty times concurrently', async () => {
    for (let round = 0; round < 4; round += 1) {
      const username = newUsername();
      const { browser, credential } = await prepared(username);
      const copies = Array.from({ length: 50 }, () => browser.copy());
      const answers = await Promise.all(copies.map((copy) => finish({ browser: copy, credential })));
      expect(tally(answers)).toEqual({ 201: 1, '400 registration_failed': 49 });
      const reasons = await service.database.sql`
        select distinct details->>'reason' as reason from latchkey.audit_events
        where outcome = 'failure' and request_id = any(${answers.map((a) => a.headers.get('x-request-id'))})`;
      expect([...reasons]).toEqual([{ reason: 'challenge_spent' }]);
      expect(copies.filter(({ cookies }) => cookies.has('latchkey'))).toHaveLength(1);
    }
  });

  test('is used up by a failed sign-up', async () => {
    const browser = service.browser();
    const options = await signUpStart(browser);
    const broken = await newAuthenticator().create(options, { authenticatorData: truncateBy(1) });
    expect((await finish({ browser, credential: broken })).status).toBe(400);
    const answer = await finish({ browser, credential: await newAuthenticator().create(options) });
    expect([answer.status, answer.body.code]).toEqual([400, 'registration_failed']);
    expect((await audited(answer))[0]?.details).toEqual({ reason: 'challenge_spent' });
  });

  test.each(challengesOtherThanOf('a sign-up'))(
    'cannot come from %s, and the attempt uses up the challenge',
    async (_, start) => {
      const { browser } = await signUp(service);
      const { challenge } = (await start(browser)).body.options;
      const options = { ...(await signUpStart(browser)), challenge };
      const answer = await finish({ browser, credential: await newAuthenticator().create(options) });
      expect([answer.status, answer.body.code]).toEqual([400, 'registration_failed']);
      expect((await audited(answer))[0]?.details).toEqual({ reason: 'challenge_of_another_kind' });
      const spent = (await rowCounts()).spent_challenges;
      expect((await finish({ browser, credential: await newAuthenticator().create(options) })).status).toBe(
        400,
      );
      expect((await rowCounts()).spent_challenges).toBe(spent);
    },
  );

  test.each<[string, () => TestAgent]>([
    ['a browser without a binding cookie', () => service.browser()],
    [
      'a browser with an unknown binding cookie',
      () => withBinding('c29tZSBiaW5kaW5nIGNvb2tpZSBvZiBubyB3b3J0aA'),
    ],
  ])('is rejected and used up if it is sent from %s', async (_, other) => {
    const { browser, credential } = await prepared(newUsername());
    const answer = await finish({ browser: other(), credential });
    expect([answer.status, answer.body.code]).toEqual([400, 'registration_failed']);
    expect((await audited(answer))[0]?.details).toEqual({ reason: 'challenge_of_another_browser' });
    expect((await finish({ browser, credential })).status).toBe(400);
  });

  test('is rejected and used up if it is sent from another browser with its own binding cookie', async () => {
    const { browser, credential } = await prepared(newUsername());
    const other = service.browser();
    await signUpStart(other);
    const answer = await finish({ browser: other, credential });
    expect((await audited(answer))[0]?.details).toEqual({ reason: 'challenge_of_another_browser' });
    expect((await finish({ browser, credential })).status).toBe(400);
  });

  test('expires after PASSKEY_TIMEOUT', async () => {
    const inTime = await prepared(newUsername());
    await service.turnClock({ seconds: 110 });
    expect((await finish(inTime)).status).toBe(201);

    const late = await prepared(newUsername());
    await service.turnClock({ seconds: 120 });
    const answer = await finish(late);
    expect([answer.status, answer.body.code]).toEqual([400, 'registration_failed']);
    expect((await audited(answer))[0]?.details).toEqual({ reason: 'challenge_expired' });
  });

  test('keeps its username when the browser starts another sign-up', async () => {
    const browser = service.browser();
    const first = newUsername();
    const ceremony = await prepared(first, browser);
    await prepared(newUsername(), browser);
    expect((await finish(ceremony)).body.user.username).toBe(first);
  });
});

describe('the credential id of a sign-up', () => {
  test('is rejected if a passkey already has the id, even in the browser of the passkey’s owner', async () => {
    const owner = await signUp(service);
    const [held] = owner.authenticator.credentials;
    const credentialId = new Uint8Array(Buffer.from(held?.id ?? '', 'base64url'));
    for (const browser of [service.browser(), owner.browser.copy()]) {
      const before = await rowCounts();
      const options = await signUpStart(browser);
      const credential = await newAuthenticator().create(options, { credentialId });
      const answer = await finish({ browser, credential });
      expect(answer.status).toBe(409);
      expect(answer.body).toEqual({
        ...problemOf('passkey_already_registered'),
      });
      expect(await rowCounts()).toEqual({
        ...before,
        audit_events: (before.audit_events ?? 0) + 1,
        spent_challenges: (before.spent_challenges ?? 0) + 1,
      });
      expect(await audited(answer)).toMatchObject([
        { event: 'account.signup', outcome: 'failure', details: { reason: 'passkey_already_registered' } },
      ]);
    }
    const stored = await service.database.sql`
      select public_key from latchkey.passkeys where credential_id = ${held?.id ?? ''}`;
    expect([...stored]).toEqual([
      { public_key: Buffer.from(held?.publicKey ?? new Uint8Array()).toString('base64url') },
    ]);
    expect((await logIn(service.browser(), owner.authenticator)).status).toBe(200);
  });

  test('is accepted once in twenty concurrent sign-ups', async () => {
    for (let round = 0; round < 3; round += 1) {
      const credentialId = randomBytes(32);
      const ceremonies = await Promise.all(
        Array.from({ length: 20 }, async () => {
          const browser = service.browser();
          const options = await signUpStart(browser);
          return { browser, credential: await newAuthenticator().create(options, { credentialId }) };
        }),
      );
      const before = await rowCounts();
      const answers = await Promise.all(ceremonies.map(finish));
      expect(tally(answers)).toEqual({ 201: 1, '409 passkey_already_registered': 19 });
      const after = await rowCounts();
      for (const table of ['users', 'passkeys', 'sessions']) {
        expect([table, after[table]]).toEqual([table, (before[table] ?? 0) + 1]);
      }
    }
  });
});

describe('signing up while signed in', () => {
  test('ends the browser’s previous session', async () => {
    const first = await signUp(service);
    const presented = first.browser.copy();
    const second = await signUp(service, { browser: first.browser });
    expect(second.browser.cookies.get('latchkey')).not.toBe(presented.cookies.get('latchkey'));
    expect((await presented.get('/auth/session')).status).toBe(401);
    expect((await second.browser.get('/auth/session')).body.user.username).toBe(second.username);
  });

  test('does not end the previous session if the sign-up fails', async () => {
    const { browser } = await signUp(service);
    const credential = await newAuthenticator().create(await signUpStart(browser), { flags: { uv: false } });
    expect((await finish({ browser, credential })).status).toBe(400);
    expect((await browser.get('/auth/session')).status).toBe(200);
  });

  test('does not end other sessions of the previous user', async () => {
    const first = await signUp(service);
    const elsewhere = service.browser();
    await logIn(elsewhere, first.authenticator);
    await signUp(service, { browser: first.browser });
    expect((await elsewhere.get('/auth/session')).body.user.username).toBe(first.username);
  });

  test('replaces a session token that the client chose', async () => {
    const browser = service.browser();
    browser.cookies.set('latchkey', 'c29tZWJvZHkgZWxzZSBjaG9zZSB0aGlzIHRva2Vu');
    const planted = browser.copy();
    await signUp(service, { browser });
    expect(browser.cookies.get('latchkey')).not.toBe(planted.cookies.get('latchkey'));
    expect((await planted.get('/auth/session')).status).toBe(401);
  });
});

function withBinding(value: string): TestAgent {
  const browser = service.browser();
  browser.cookies.set('latchkey-binding', value);
  return browser;
}
