import type { AuthServiceOptions } from 'latchkey';
import { append, flipLastBit, type GetTampering, type SoftwareAuthenticator } from 'latchkey/testing';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, createAgent, type TestAgent } from '../support/agent.ts';
import { expectNoLoggedErrors } from '../support/logged-errors.ts';
import { sortedStatuses } from '../support/many-requests.ts';
import { logIn, newAuthenticator, newUsername, type Person, signUp, signUpStart } from '../support/person.ts';
import { startSecondInstance } from '../support/second-instance.ts';
import type { ServiceOn } from '../support/service-on.ts';
import { origin, secret, startTestService, type TestService } from '../support/test-service.ts';
import { auditRowsOf } from './support/audit-log.ts';
import { challengesOtherThanOf } from './support/challenge-sources.ts';
import { expectSessionCookie } from './support/current-session.ts';
import { expectDisabled, reasonOfRefusal } from './support/refused-sign-in.ts';
import { sessionBegunAt } from './support/wire-format.ts';

const startPath = '/auth/passkey/login/start';
const verifyPath = '/auth/passkey/login/verify';
const nextSecret = 'pZ4wN8cQ1vXh7TjKf2LyR6bGm9SdUa3Ee5VoIiYtHrM';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());
afterEach(() => expectNoLoggedErrors(service));

async function loginStart(browser: TestAgent, username?: string) {
  return (await browser.post(startPath, username === undefined ? {} : { username })).body.options;
}

/** Starts a sign-in and creates the credential, without sending it. */
async function prepared(
  browser: TestAgent,
  authenticator: SoftwareAuthenticator,
  { username = undefined as string | undefined, tamper = undefined as GetTampering | undefined } = {},
) {
  return { browser, credential: await authenticator.get(await loginStart(browser, username), tamper) };
}

const finish = ({ browser, credential }: { browser: TestAgent; credential: unknown }) =>
  browser.post(verifyPath, { credential });

const audited = (answer: Answer) => auditRowsOf(service, answer);
const reasonOf = (answer: Answer, shown?: 'unknown_credential') => reasonOfRefusal(service, answer, shown);

async function storedCounter(person: Person): Promise<number> {
  const [row] = await service.database.sql`
    select counter from latchkey.passkeys where id = ${person.signedUp.body.passkey.id}`;
  return Number(row?.counter);
}

const sessionsOf = (person: Person) =>
  service.database.sql`select id from latchkey.sessions where user_id = ${person.signedUp.body.user.id}`;

const oneOf = (count: number) => [200, ...Array.from({ length: count - 1 }, () => 401)];

/** Runs `use` on another instance with the same database, for example with other secrets. */
async function onInstance<T>(
  options: AuthServiceOptions,
  use: (node: ServiceOn) => Promise<T>,
  before?: (statement: string) => unknown,
): Promise<T> {
  const node = await startSecondInstance(service, options, before);
  try {
    return await use(node);
  } finally {
    await node.close();
  }
}

describe('`login/start`', () => {
  test('without a username returns options for discoverable passkeys', async () => {
    const answer = await service.browser().post(startPath, {});
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      options: {
        rpId: 'localhost',
        challenge: expect.stringMatching(/^[\w-]{43,}$/),
        allowCredentials: [],
        timeout: 300_000,
        userVerification: 'required',
      },
    });
  });

  test('accepts a missing body', async () => {
    const answer = await service.browser().post(startPath);
    expect(answer.status).toBe(200);
    expect(answer.body.options.allowCredentials).toEqual([]);
  });

  test('with a username, in any spelling, lists the account’s passkeys', async () => {
    const { username, authenticator } = await signUp(service);
    for (const spelling of [username, username.toUpperCase(), ` ${username} `]) {
      const answer = await service.browser().post(startPath, { username: spelling });
      expect(answer.body).toEqual({
        options: {
          rpId: 'localhost',
          challenge: expect.stringMatching(/^[\w-]{43,}$/),
          allowCredentials: [
            { id: authenticator.credentials[0]?.id, type: 'public-key', transports: ['internal', 'hybrid'] },
          ],
          timeout: 300_000,
          userVerification: 'required',
        },
      });
    }
  });

  test('writes nothing, and queries the database only if the request has a username', async () => {
    const { username } = await signUp(service);
    const [before] = await service.database.sql`
      select (select count(*) from latchkey.spent_challenges) + (select count(*) from latchkey.audit_events)
        + (select count(*) from latchkey.users) + (select count(*) from latchkey.sessions) as rows`;
    const browser = service.browser();
    service.statements.length = 0;
    await loginStart(browser);
    expect(service.statements).toEqual([]);
    await loginStart(browser, username);
    await loginStart(browser, newUsername());
    await loginStart(browser, 'no good');
    expect(service.statements).toHaveLength(3);
    expect(service.statements.filter((text) => !/^\s*select\b/.test(text))).toEqual([]);
    const [after] = await service.database.sql`
      select (select count(*) from latchkey.spent_challenges) + (select count(*) from latchkey.audit_events)
        + (select count(*) from latchkey.users) + (select count(*) from latchkey.sessions) as rows`;
    expect(after).toEqual(before);
  });

  test.each<[string, unknown, string]>([
    ['a number as username', { username: 1 }, 'username'],
    ['null as username', { username: null }, 'username'],
    ['NUL in the username', { username: 'ada\u0000' }, 'username'],
    ['an unknown property', { userId: 'x' }, 'userId'],
  ])('rejects %s', async (_, body, path) => {
    const answer = await service.browser().post(startPath, body);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ code: 'invalid_request', errors: [{ path }] });
  });
});

// Decoys are invented passkeys, which the options list for an unknown username.
describe('decoys', () => {
  const listed = async (username: string, browser = service.browser()) =>
    (await loginStart(browser, username)).allowCredentials;

  /** Matches as many decoys as the given list has: one or two. */
  const oneOrTwo = (decoys: unknown[]) =>
    Array.from({ length: decoys.length === 2 ? 2 : 1 }, () => ({
      id: expect.stringMatching(/^[\w-]{22,}$/),
      type: 'public-key',
      transports: expect.any(Array),
    }));

  test('give an unknown username options of the same shape as a known one', async () => {
    const { username } = await signUp(service);
    const known = await loginStart(service.browser(), username);
    const unknown = await loginStart(service.browser(), newUsername());
    expect(Object.keys(unknown)).toEqual(Object.keys(known));
    expect(unknown).toEqual({
      ...known,
      challenge: expect.stringMatching(/^[\w-]+$/),
      allowCredentials: oneOrTwo(unknown.allowCredentials),
    });
    expect(Object.keys(unknown.allowCredentials[0])).toEqual(Object.keys(known.allowCredentials[0]));
    // The length of a challenge must not reveal more than the length of the username.
    const sameLength = username.replace(/\d/g, 'x');
    expect((await loginStart(service.browser(), sameLength)).challenge).toHaveLength(known.challenge.length);
  });

  // An attacker who asks before and after an update must not see that they change, because passkeys do not.
  test('are the same in every release', async () => {
    const sql = service.database.sql;
    const [own] = await sql`select secret from latchkey.secrets where name = 'decoys'`;
    const setSecret = (value: string) =>
      sql`update latchkey.secrets set secret = ${value} where name = 'decoys'`;
    await setSecret('0b2ee3ea-2d1f-4dba-8e3a-6a5bba3b1f6c7a1c0d1e-9f53-4c43-93a7-54b1c1f6a2d9');
    await onInstance({}, async ({ browser }) => {
      const decoysOf = async (username: string) =>
        (await listed(username, browser())).map(
          ({ id, transports }: { id: string; transports: string[] }) => [id, ...transports],
        );
      expect(await decoysOf('ann')).toEqual([['C06t-dzIpTAh403Jax0XsdOkwYMqwCKKCOCxYUPaMqA', 'internal']]);
      expect(await decoysOf('ada')).toEqual([['4kWjZ2YRDSd3p_Gz_u8hHQXWars', 'hybrid', 'internal']]);
      expect(await decoysOf('finn')).toEqual([
        ['ZxBaVIoVHrqiA1axBEoxStJpyzmw8saW8Re9Q4UTj6g', 'hybrid', 'internal'],
        ['yPVBojEWs_ANiIJeNo6c-kw5mEq9XjJAce5ZJHZpbrvduAvSS7-BmH6tx5hZPzvr', 'nfc', 'usb'],
      ]);
    });
    await setSecret(own?.secret);
  });

  test('differ between usernames, and have lengths that authenticators use', async () => {
    const all = await Promise.all(Array.from({ length: 40 }, () => listed(newUsername())));
    const ids = all.flat().map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const lengths = new Set(ids.map((id) => Buffer.from(id, 'base64url').length));
    expect(lengths.size).toBeGreaterThan(1);
    expect([...lengths].filter((length) => ![16, 20, 32, 48].includes(length))).toEqual([]);
    // Random bytes do not repeat, so a long id must not be a repeated short id.
    expect(ids.filter((id) => /(.{8}).*\1/.test(id))).toEqual([]);
  });

  test('are one or two per username, with the transports of real passkeys', async () => {
    const lists: { id: string; transports: string[] }[][] = [];
    // The usernames are fixed, so the counts below are always the same.
    for (let n = 0; n < 200; n += 1) lists.push(await listed(`decoy-of-name-${n}`));
    const counts = lists.map(({ length }) => length);
    expect(new Set(counts)).toEqual(new Set([1, 2]));
    const twos = counts.filter((count) => count === 2).length;
    expect(twos).toBeGreaterThan(20);
    expect(twos).toBeLessThan(100);
    const decoys = lists.flat();
    expect(new Set(decoys.map(({ id }) => id)).size).toBe(decoys.length);
    expect(new Set(decoys.map(({ transports }) => transports.join()))).toEqual(
      new Set(['hybrid,internal', 'internal', 'nfc,usb', 'usb']),
    );
    // The second decoy must not be the first decoy with another length.
    for (const [one, two] of lists) if (two) expect(two.id.slice(0, 12)).not.toBe(one?.id.slice(0, 12));
  });

  test('for a username of 45,000 characters have the usual size and cause the usual error', async () => {
    const { authenticator } = await signUp(service);
    const username = 'x'.repeat(45_000);
    const options = await loginStart(service.browser(), username);
    const usual = await loginStart(service.browser(), 'no good');
    expect(options.challenge).toHaveLength(usual.challenge.length);
    expect(options.allowCredentials).toEqual(oneOrTwo(options.allowCredentials));
    expect(JSON.stringify(options).length).toBeLessThan(1000);
    const tamper = { credential: authenticator.credentials[0]?.id ?? '' };
    const ceremony = await prepared(service.browser(), authenticator, { username, tamper });
    expect(await reasonOf(await finish(ceremony))).toBe('credential_of_another_user');
  });

  test.each([
    ['300 spaces before it', (name: string) => `${' '.repeat(300)}${name}`],
    ['300 spaces after it', (name: string) => `${name}${' '.repeat(300)}`],
  ])('are returned for an account’s username with %s, as for an unknown username', async (_, spell) => {
    const { username, authenticator } = await signUp(service);
    const credential = authenticator.credentials[0]?.id ?? '';
    const decoys = await listed(spell(username));
    expect(decoys).toEqual(oneOrTwo(decoys));
    expect(decoys.map(({ id }: { id: string }) => id)).not.toContain(credential);
    expect(await listed(spell(username))).toEqual(decoys);
    const named = { username: spell(username), tamper: { credential } };
    const ceremony = await prepared(service.browser(), authenticator, named);
    expect(await reasonOf(await finish(ceremony))).toBe('credential_of_another_user');
  });

  test.each([
    ['an unknown username', 'nobody-has-this-name'],
    ['a reserved username', 'admin'],
    ['an email address', 'ada@example.org'],
    ['a single letter', 'a'],
    ['an empty username', ''],
    ['a username with a space', 'ada lovelace'],
    ['Cyrillic letters', 'ада'],
    ['10,000 characters', 'x'.repeat(10_000)],
  ])('never change for %s', async (_, username) => {
    const first = await listed(username);
    expect(first).toEqual(oneOrTwo(first));
    expect(await listed(username)).toEqual(first);
    await service.turnClock({ minutes: 60 * 24 * 30 });
    expect(await listed(username)).toEqual(first);
    expect(await listed(` ${username.toUpperCase()}`)).toEqual(first);
  });

  // Passkeys do not change with JWT_SECRET. Decoys that change would show which usernames exist.
  test('stay the same after a restart and after every rotation of JWT_SECRET', async () => {
    const username = newUsername();
    const first = await listed(username);
    const listedUnder = (of: string | string[]) =>
      onInstance({ secret: of }, ({ browser }) => listed(username, browser()));
    expect(await listedUnder(secret)).toEqual(first);
    expect(await listedUnder([nextSecret, secret])).toEqual(first);
    expect(await listedUnder([nextSecret])).toEqual(first);
  });

  test('cause the same errors as passkeys of other users', async () => {
    const { authenticator } = await signUp(service);
    const credential = authenticator.credentials[0]?.id ?? '';
    const username = newUsername();
    const [decoy] = await listed(username);
    const asThemselves = await prepared(service.browser(), authenticator, {
      username,
      tamper: { credential },
    });
    expect(await reasonOf(await finish(asThemselves))).toBe('credential_of_another_user');
    const expectRefused = async (id: string, reason: string) => {
      const named = { username, tamper: { credential, id } };
      const answer = await finish(await prepared(service.browser(), authenticator, named));
      expect(await reasonOf(answer, 'unknown_credential')).toBe(reason);
    };
    await expectRefused(decoy.id, 'credential_unknown');
    const other = await signUp(service);
    await expectRefused(other.authenticator.credentials[0]?.id ?? '', 'user_handle_mismatch');
  });

  test('are replaced by real passkeys when a user signs up with the username', async () => {
    const username = newUsername();
    const [decoy] = await listed(username);
    const { authenticator } = await signUp(service, { username });
    expect((await listed(username)).map(({ id }: { id: string }) => id)).toEqual([
      authenticator.credentials[0]?.id,
    ]);
    expect(decoy.id).not.toBe(authenticator.credentials[0]?.id);
  });
});

describe('`login/verify`', () => {
  test.each([
    ['without a username', false],
    ['with a username', true],
  ])('%s returns exactly the user and the session', async (_, named) => {
    const { username, authenticator, signedUp } = await signUp(service);
    const browser = service.browser();
    const answer = await logIn(browser, authenticator, named ? { username } : {});
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      user: signedUp.body.user,
      session: sessionBegunAt(answer.body.session.createdAt),
    });
    expect((await browser.get('/auth/session')).body.session.id).toBe(answer.body.session.id);
  });

  test('returns the token only in the session cookie', async () => {
    const { authenticator } = await signUp(service);
    const browser = service.browser();
    const answer = await logIn(browser, authenticator);
    const token = expectSessionCookie(browser, answer);
    const seen = [
      answer.body,
      await browser.get('/auth/session'),
      await browser.get('/auth/sessions'),
      await service.auditRows(),
      await service.database.sql`select * from latchkey.sessions`,
      service.logged,
    ];
    expect(JSON.stringify(seen)).not.toContain(token);
  });

  test('takes two database round trips, and writes one audit event', async () => {
    const { username, authenticator, signedUp } = await signUp(service);
    const ceremony = await prepared(service.browser(), authenticator);
    service.statements.length = 0;
    const answer = await finish(ceremony);
    expect(service.statements).toHaveLength(2);
    expect(await audited(answer)).toEqual([
      {
        event: 'passkey.login',
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

  test('records when the passkey was used', async () => {
    const { browser, authenticator } = await signUp(service);
    const answer = await logIn(browser, authenticator);
    const [device] = (await browser.get('/auth/passkey/devices')).body.devices;
    expect(device.lastUsedAt).toBe(answer.body.session.createdAt);
  });

  test('ends the session whose cookie was sent, and no other session', async () => {
    const { browser, authenticator } = await signUp(service);
    const elsewhere = service.browser();
    await logIn(elsewhere, authenticator);
    const presented = browser.copy();
    await logIn(browser, authenticator);
    expect((await presented.get('/auth/session')).status).toBe(401);
    expect((await browser.get('/auth/session')).status).toBe(200);
    expect((await elsewhere.get('/auth/session')).status).toBe(200);
  });

  test('ends the session whose cookie was sent, even if it is the session of another user', async () => {
    const first = await signUp(service);
    const second = await signUp(service);
    const presented = first.browser.copy();
    await logIn(first.browser, second.authenticator);
    expect((await presented.get('/auth/session')).status).toBe(401);
    expect((await first.browser.get('/auth/session')).body.user.username).toBe(second.username);
  });

  test('keeps the session whose cookie was sent if the sign-in fails', async () => {
    const { browser, authenticator } = await signUp(service);
    const tamper = { afterSigning: { signature: flipLastBit } };
    expect((await logIn(browser, authenticator, { tamper })).status).toBe(401);
    expect((await browser.get('/auth/session')).status).toBe(200);
  });

  test('replaces a session cookie that the service did not create', async () => {
    const { authenticator } = await signUp(service);
    const browser = service.browser();
    browser.cookies.set('latchkey', 'c29tZWJvZHkgZWxzZSBjaG9zZSB0aGlzIHRva2Vu');
    const planted = browser.copy();
    await logIn(browser, authenticator);
    expect(browser.cookies.get('latchkey')).not.toBe(planted.cookies.get('latchkey'));
    expect((await planted.get('/auth/session')).status).toBe(401);
  });

  test('keeps the binding cookie', async () => {
    const { browser, authenticator } = await signUp(service);
    const binding = browser.cookies.get('latchkey-binding');
    expect(binding).toBeDefined();
    await logIn(browser, authenticator);
    expect(browser.cookies.get('latchkey-binding')).toBe(binding);
  });
});

describe('passkeys and user handles:', () => {
  test('without a username, a missing user handle is rejected', async () => {
    const { authenticator } = await signUp(service);
    for (const userHandle of [undefined, null]) {
      const answer = await logIn(service.browser(), authenticator, { tamper: { userHandle } });
      expect(await reasonOf(answer)).toBe('user_handle_missing');
    }
  });

  test('with a username, no user handle is needed', async () => {
    const { username, authenticator } = await signUp(service);
    for (const userHandle of [undefined, null]) {
      const answer = await logIn(service.browser(), authenticator, { username, tamper: { userHandle } });
      expect(answer.status).toBe(200);
    }
  });

  test.each([
    ['with a username', true],
    ['without a username', false],
  ])('%s, a wrong user handle is rejected', async (_, named) => {
    const { username, authenticator } = await signUp(service);
    const other = await signUp(service);
    const handle = authenticator.credentials[0]?.userHandle ?? '';
    const wrong = [
      // The caller knows this user handle, so the response may say that the account does not have the passkey.
      [other.authenticator.credentials[0]?.userHandle ?? '', 'unknown_credential'],
      [''],
      [handle.slice(0, -2)],
      [`${handle}AA`],
    ] as const;
    for (const [userHandle, shown] of wrong) {
      const options = { tamper: { userHandle }, ...(named && { username }) };
      const answer = await logIn(service.browser(), authenticator, options);
      expect([userHandle, await reasonOf(answer, shown)]).toEqual([userHandle, 'user_handle_mismatch']);
    }
  });

  test('with a username, a passkey of another user is rejected', async () => {
    const { username } = await signUp(service);
    const other = await signUp(service);
    const credential = other.authenticator.credentials[0]?.id ?? '';
    for (const tamper of [{ credential }, { credential, userHandle: undefined }]) {
      const answer = await logIn(service.browser(), other.authenticator, { username, tamper });
      expect(await reasonOf(answer)).toBe('credential_of_another_user');
    }
  });

  test('the id and user handle of another user’s passkey are rejected without the private key', async () => {
    const victim = await signUp(service);
    const { authenticator } = await signUp(service);
    const theirs = victim.authenticator.credentials[0];
    const credential = authenticator.credentials[0]?.id ?? '';
    const tamper = { credential, id: theirs?.id ?? '', userHandle: theirs?.userHandle };
    for (const username of [undefined, victim.username]) {
      const answer = await logIn(service.browser(), authenticator, { username, tamper });
      expect(await reasonOf(answer)).toBe('signature_invalid');
    }
  });

  test('a passkey that was removed or never added is unknown', async () => {
    const stranger = newAuthenticator();
    await stranger.create(await signUpStart(service.browser()));
    expect(await reasonOf(await logIn(service.browser(), stranger))).toBe('credential_unknown');

    const { authenticator, signedUp } = await signUp(service);
    await service.database.sql`delete from latchkey.passkeys where id = ${signedUp.body.passkey.id}`;
    const removed = await logIn(service.browser(), authenticator);
    expect(await reasonOf(removed, 'unknown_credential')).toBe('credential_unknown');
  });
});

describe('a disabled user', () => {
  const disable = (person: Person) =>
    service.database.sql`
      update latchkey.users set status = 'disabled' where id = ${person.signedUp.body.user.id}`;

  test('learns this after the passkey is verified, and the audit event names the user', async () => {
    const person = await signUp(service);
    await disable(person);
    for (const username of [undefined, person.username]) {
      const answer = await logIn(service.browser(), person.authenticator, { username });
      await expectDisabled(service, answer);
      expect(await audited(answer)).toMatchObject([{ actor_type: 'user', actor_name: person.username }]);
    }
  });

  test('is rejected like any other user if the signature is invalid', async () => {
    const person = await signUp(service);
    await disable(person);
    const tamper = { afterSigning: { signature: flipLastBit } };
    const answer = await logIn(service.browser(), person.authenticator, { tamper });
    expect(await reasonOf(answer)).toBe('signature_invalid');
    expect(await audited(answer)).toMatchObject([{ actor_type: 'anonymous', actor_name: null }]);
  });

  test('gets sign-in options like any other user', async () => {
    const person = await signUp(service);
    const before = await loginStart(service.browser(), person.username);
    await disable(person);
    const after = await loginStart(service.browser(), person.username);
    expect(after.allowCredentials).toEqual(before.allowCredentials);
  });

  test('is rejected even if the account is disabled after the verification and before the session is created', async () => {
    const person = await signUp(service, { authenticator: newAuthenticator({ counter: 5 }) });
    const justBefore = (statement: string) =>
      statement.includes('insert into latchkey.sessions') ? disable(person) : null;
    await onInstance(
      { secret },
      async (node) => {
        const answer = await finish(await prepared(node.browser(), person.authenticator));
        expect(await reasonOf(answer)).toBe('concurrent_change');
        // The event is not `passkey.clone_suspected`, because the counter increased.
        expect(await audited(answer)).toMatchObject([{ event: 'passkey.login' }]);
      },
      justBefore,
    );
    expect(await storedCounter(person)).toBe(5);
    expect(await sessionsOf(person)).toHaveLength(1);
  });

  test('is rejected if the sign-in started before the user was disabled', async () => {
    const person = await signUp(service);
    const ceremony = await prepared(service.browser(), person.authenticator);
    await disable(person);
    await expectDisabled(service, await finish(ceremony));
  });
});

test('every cause of failure that must stay secret returns the same response, byte for byte', async () => {
  const { username, authenticator } = await signUp(service, {
    authenticator: newAuthenticator({ counter: 7 }),
  });
  const other = await signUp(service);
  const disabled = await signUp(service);
  await service.database.sql`
    update latchkey.users set status = 'disabled' where id = ${disabled.signedUp.body.user.id}`;
  const stranger = newAuthenticator();
  await stranger.create(await signUpStart(service.browser()));
  const spent = await prepared(service.browser(), authenticator);
  await finish(spent);
  const elsewhere = await prepared(service.browser(), authenticator);
  const theirs = other.authenticator.credentials[0]?.id ?? '';
  const mine = authenticator.credentials[0]?.id ?? '';
  const forged: [reason: string, GetTampering][] = [
    ['type_mismatch', { clientData: { type: 'webauthn.create' } }],
    ['origin_mismatch', { clientData: { origin: 'https://evil.example' } }],
    ['rp_id_mismatch', { rpId: 'evil.example' }],
    ['user_not_present', { flags: { up: false } }],
    ['user_not_verified', { flags: { uv: false } }],
    ['signature_invalid', { afterSigning: { signature: flipLastBit } }],
    ['verification_failed', { authenticatorData: append(0) }],
    ['client_data_malformed', { clientData: { challenge: null } }],
  ];
  const attempts: (readonly [reason: string, () => Promise<Answer>])[] = [
    ['credential_unknown', () => logIn(service.browser(), stranger)],
    [
      'credential_of_another_user',
      () => logIn(service.browser(), other.authenticator, { username, tamper: { credential: theirs } }),
    ],
    ['user_handle_missing', () => logIn(service.browser(), authenticator, { tamper: { userHandle: null } })],
    [
      'user_handle_mismatch',
      () => logIn(service.browser(), authenticator, { tamper: { userHandle: 'AAAA' } }),
    ],
    [
      'user_not_verified',
      () => logIn(service.browser(), disabled.authenticator, { tamper: { flags: { uv: false } } }),
    ],
    [
      'signature_invalid',
      () =>
        logIn(service.browser(), disabled.authenticator, {
          tamper: { afterSigning: { signature: flipLastBit } },
        }),
    ],
    [
      'credential_of_another_user',
      () =>
        logIn(service.browser(), authenticator, {
          username: disabled.username,
          tamper: { credential: mine },
        }),
    ],
    ...forged.map(
      ([reason, tamper]) => [reason, () => logIn(service.browser(), authenticator, { tamper })] as const,
    ),
    [
      'cross_origin',
      () => logIn(service.browser(), authenticator, { tamper: { clientData: { crossOrigin: true } } }),
    ],
    [
      'backup_eligibility_changed',
      () => logIn(service.browser(), authenticator, { tamper: { flags: { be: false, bs: false } } }),
    ],
    ['counter_not_increased', () => logIn(service.browser(), authenticator, { tamper: { signCount: 1 } })],
    ['challenge_spent', () => finish(spent)],
    ['challenge_of_another_browser', () => finish({ ...elsewhere, browser: service.browser() })],
    [
      'challenge_unknown',
      () => logIn(service.browser(), authenticator, { tamper: { clientData: { challenge: 'AAAA' } } }),
    ],
  ];
  const bodies = new Set<string>();
  for (const [reason, attempt] of attempts) {
    const answer = await attempt();
    expect(await reasonOf(answer)).toBe(reason);
    const { 'x-request-id': _, date: __, ...headers } = Object.fromEntries(answer.headers);
    bodies.add(JSON.stringify([answer.status, headers, answer.body]));
  }
  expect(bodies.size).toBe(1);
});

describe('the challenge of a sign-in', () => {
  test('can be used by only one of 50 concurrent requests, with and without a signature counter', async () => {
    for (const counter of [0, 3, 0, 3]) {
      const person = await signUp(service, { authenticator: newAuthenticator({ counter }) });
      const { browser, credential } = await prepared(service.browser(), person.authenticator);
      const copies = Array.from({ length: 50 }, () => browser.copy());
      const answers = await Promise.all(copies.map((copy) => finish({ browser: copy, credential })));
      expect(sortedStatuses(answers)).toEqual(oneOf(50));
      // The session of the sign-up, and one more.
      expect(await sessionsOf(person)).toHaveLength(2);
      expect(copies.filter(({ cookies }) => cookies.has('latchkey'))).toHaveLength(1);
      const requests = answers.map(({ headers }) => headers.get('x-request-id'));
      const rows = await service.database.sql`
        select event, outcome, details->>'reason' as reason, count(*)::int as rows
        from latchkey.audit_events where request_id = any(${requests}) group by 1, 2, 3 order by 4`;
      expect([...rows]).toEqual([
        { event: 'passkey.login', outcome: 'success', reason: null, rows: 1 },
        { event: 'passkey.login', outcome: 'failure', reason: 'challenge_spent', rows: 49 },
      ]);
    }
  });

  test('cannot be used again after a success', async () => {
    const { authenticator } = await signUp(service);
    const browser = service.browser();
    const options = await loginStart(browser);
    expect((await finish({ browser, credential: await authenticator.get(options) })).status).toBe(200);
    const again = await finish({ browser, credential: await authenticator.get(options) });
    expect(await reasonOf(again)).toBe('challenge_spent');
  });

  test('cannot be used again after a failure', async () => {
    const { authenticator } = await signUp(service);
    const stranger = newAuthenticator();
    await stranger.create(await signUpStart(service.browser()));
    const failures: ((options: Parameters<SoftwareAuthenticator['get']>[0]) => Promise<unknown>)[] = [
      (options) => authenticator.get(options, { afterSigning: { signature: flipLastBit } }),
      (options) => authenticator.get(options, { userHandle: null }),
      (options) => stranger.get(options),
    ];
    for (const fail of failures) {
      const browser = service.browser();
      const options = await loginStart(browser);
      expect((await finish({ browser, credential: await fail(options) })).status).toBe(401);
      const again = await finish({ browser, credential: await authenticator.get(options) });
      expect(await reasonOf(again)).toBe('challenge_spent');
    }
  });

  test('can still be used after a malformed credential', async () => {
    const { authenticator } = await signUp(service);
    const ceremony = await prepared(service.browser(), authenticator);
    const response = { ...ceremony.credential.response, signature: 5 };
    const answer = await ceremony.browser.post(verifyPath, {
      credential: { ...ceremony.credential, response },
    });
    expect([answer.status, answer.body.code]).toEqual([400, 'invalid_request']);
    expect((await finish(ceremony)).status).toBe(200);
  });

  test('is remembered after its use, for longer than a sign-in can take', async () => {
    const { authenticator } = await signUp(service);
    const ceremony = await prepared(service.browser(), authenticator);
    const [before] = await service.database
      .sql`select array_agg(nonce) as nonces from latchkey.spent_challenges`;
    expect((await finish(ceremony)).status).toBe(200);
    const remembered = await service.database.sql`
      select extract(epoch from forget_at - latchkey.clock())::int as seconds from latchkey.spent_challenges
      where nonce <> all(${before?.nonces})`;
    expect(remembered).toHaveLength(1);
    // PASSKEY_TIMEOUT is at most ten minutes.
    expect(remembered[0]?.seconds).toBeGreaterThan(11 * 60);
  });

  test.each(challengesOtherThanOf('a sign-in'))(
    'must be issued for a sign-in: a challenge for %s is rejected, and then cannot be used again',
    async (_, start) => {
      const { browser, authenticator } = await signUp(service);
      const { challenge } = (await start(browser)).body.options;
      const options = { ...(await loginStart(browser)), challenge };
      const attempt = async () => finish({ browser, credential: await authenticator.get(options) });
      expect(await reasonOf(await attempt())).toBe('challenge_of_another_kind');
      expect(await reasonOf(await attempt())).toBe('challenge_spent');
    },
  );

  test('must be issued for a sign-in: the challenge of a sign-up is rejected, and then cannot finish the sign-up', async () => {
    const { browser, authenticator } = await signUp(service);
    const creation = await signUpStart(browser);
    const options = { ...(await loginStart(browser)), challenge: creation.challenge };
    await finish({ browser, credential: await authenticator.get(options) });
    const credential = await newAuthenticator().create(creation);
    const answer = await browser.post('/auth/passkey/register/verify', { credential });
    expect([answer.status, answer.body.code]).toEqual([400, 'registration_failed']);
  });

  test.each<[string, () => Promise<TestAgent>]>([
    ['without a binding cookie', async () => service.browser()],
    ['with another binding cookie', async () => started(service.browser())],
    [
      'with an invented binding cookie',
      async () => withBinding('c29tZSBiaW5kaW5nIGNvb2tpZSBvZiBubyB3b3J0aA'),
    ],
    ['with an empty binding cookie', async () => withBinding('')],
    ['with a challenge as binding cookie', async () => withChallengeAsBinding()],
  ])('is rejected from a browser %s, and then cannot be used again', async (_, other) => {
    const { authenticator } = await signUp(service);
    const { browser, credential } = await prepared(service.browser(), authenticator);
    const answer = await finish({ browser: await other(), credential });
    expect(await reasonOf(answer)).toBe('challenge_of_another_browser');
    expect(await reasonOf(await finish({ browser, credential }))).toBe('challenge_spent');
  });

  test('stays valid when other tabs of the browser start sign-ins', async () => {
    const { authenticator } = await signUp(service);
    const browser = service.browser();
    const ceremonies = [];
    for (let tab = 0; tab < 4; tab += 1) ceremonies.push(await prepared(browser, authenticator));
    expect(new Set(ceremonies.map(({ credential }) => credential.response.clientDataJSON)).size).toBe(4);
    const answers = await Promise.all(ceremonies.map(finish));
    expect(sortedStatuses(answers)).toEqual([200, 200, 200, 200]);
  });

  test('expires exactly after `passkeyTimeoutMs`', async () => {
    let now = Date.UTC(2030, 0, 1);
    await onInstance({ secret, passkeyTimeoutMs: 60_000, clock: () => new Date(now) }, async (node) => {
      const { authenticator } = await signUp(service);
      const inTime = await prepared(node.browser(), authenticator);
      const late = await prepared(node.browser(), authenticator);
      now += 59_999;
      expect((await finish(inTime)).status).toBe(200);
      now += 1;
      expect(await reasonOf(await finish(late))).toBe('challenge_expired');
    });
  });

  test('expires after five minutes by default', async () => {
    const { authenticator } = await signUp(service);
    const inTime = await prepared(service.browser(), authenticator);
    await service.turnClock({ minutes: 4, seconds: 45 });
    expect((await finish(inTime)).status).toBe(200);
    const late = await prepared(service.browser(), authenticator);
    await service.turnClock({ minutes: 5 });
    expect(await reasonOf(await finish(late))).toBe('challenge_expired');
  });

  const bytes = (change: (challenge: Buffer) => Uint8Array) => (challenge: string) =>
    Buffer.from(change(Buffer.from(challenge, 'base64url'))).toString('base64url');
  test.each<[string, (challenge: string) => string]>([
    ['with one bit of its nonce changed', bytes((challenge) => withFlippedBit(challenge, 0))],
    ['with one bit of its content changed', bytes((challenge) => withFlippedBit(challenge, 20))],
    [
      'with one bit of its tag changed',
      bytes((challenge) => withFlippedBit(challenge, challenge.length - 1)),
    ],
    ['without its last byte', bytes((challenge) => challenge.subarray(0, -1))],
    ['without its first byte', bytes((challenge) => challenge.subarray(1))],
    ['with an extra byte', bytes((challenge) => Buffer.concat([challenge, Buffer.alloc(1)]))],
    ['when only its nonce is sent', bytes((challenge) => challenge.subarray(0, 16))],
    ['when only its first 32 bytes are sent', bytes((challenge) => challenge.subarray(0, 32))],
    ['with padding', (challenge) => `${challenge}=`],
    ['with a line break', (challenge) => `${challenge}\n`],
    ['in standard base64', (challenge) => `${Buffer.from(challenge, 'base64url').toString('base64')} `],
    ['when it is empty', () => ''],
    ['when it is invented', () => Buffer.alloc(64, 7).toString('base64url')],
  ])('is rejected %s', async (_, change) => {
    const { authenticator } = await signUp(service);
    const browser = service.browser();
    const options = await loginStart(browser);
    const challenge = change(options.challenge);
    expect(challenge).not.toBe(options.challenge);
    const credential = await authenticator.get(options, { clientData: { challenge } });
    expect(await reasonOf(await finish({ browser, credential }))).toBe('challenge_unknown');
    // The changed challenge did not use up the original one.
    expect((await finish({ browser, credential: await authenticator.get(options) })).status).toBe(200);
  });

  test('is rejected in another base64url spelling of the same bytes', async () => {
    let spelled = 0;
    for (const stem of ['p', 'pe', 'per']) {
      const { username, authenticator } = await signUp(service, { username: newUsername(stem) });
      const browser = service.browser();
      const options = await loginStart(browser, username);
      const challenge = otherSpelling(options.challenge);
      if (challenge === null) continue;
      spelled += 1;
      const credential = await authenticator.get(options, { clientData: { challenge } });
      expect(await reasonOf(await finish({ browser, credential }))).toBe('challenge_unknown');
    }
    // If the number of bytes is a multiple of three, the last character has no unused bits, so there is no other
    // spelling. Of the three lengths in this test, one is such a multiple.
    expect(spelled).toBeGreaterThan(0);
  });

  test('cannot be the value of a binding cookie', async () => {
    const { browser, authenticator } = await signUp(service);
    const challenge = browser.cookies.get('latchkey-binding');
    const answer = await logIn(browser, authenticator, { tamper: { clientData: { challenge } } });
    expect(await reasonOf(answer)).toBe('challenge_unknown');
  });

  test('is accepted once, by one of the instances with the same secret', async () => {
    const { authenticator } = await signUp(service);
    await onInstance({ secret }, async (node) => {
      const ceremony = await prepared(service.browser(), authenticator);
      const there = { ...ceremony, browser: node.browser(ceremony.browser.cookies) };
      const answers = await Promise.all([ceremony, there, ceremony, there].map(finish));
      expect(sortedStatuses(answers)).toEqual(oneOf(4));
    });
  });

  test('is accepted after a change of JWT_SECRET only while the old secret is listed', async () => {
    const { authenticator } = await signUp(service);
    const open = () => prepared(service.browser(), authenticator);
    const finishUnder = async (of: string[]) => {
      const ceremony = await open();
      return onInstance({ secret: of }, (node) =>
        finish({ ...ceremony, browser: node.browser(ceremony.browser.cookies) }),
      );
    };
    expect((await finishUnder([nextSecret, secret])).status).toBe(200);
    expect(await reasonOf(await finishUnder([nextSecret]))).toBe('challenge_unknown');
  });

  test('is accepted only by instances that list the secret with which it was created', async () => {
    const { authenticator } = await signUp(service);
    await onInstance({ secret: [nextSecret, secret] }, async (node) => {
      const ceremony = await prepared(node.browser(), authenticator);
      const there = createAgent(service.url, origin, ceremony.browser.cookies);
      expect(await reasonOf(await finish({ ...ceremony, browser: there }))).toBe('challenge_unknown');
      expect((await finish(ceremony)).status).toBe(200);
    });
  });

  async function started(browser: TestAgent): Promise<TestAgent> {
    await loginStart(browser);
    return browser;
  }

  function withBinding(value: string): TestAgent {
    const browser = service.browser();
    browser.cookies.set('latchkey-binding', value);
    return browser;
  }

  async function withChallengeAsBinding(): Promise<TestAgent> {
    return withBinding((await loginStart(service.browser())).challenge);
  }
});

describe('the signature counter', () => {
  const counting = (counter = 5) => signUp(service, { authenticator: newAuthenticator({ counter }) });
  const assert = (person: Person, signCount: number) =>
    logIn(service.browser(), person.authenticator, { tamper: { signCount } });

  test.each([
    ['by one', 5, 6],
    ['by many', 5, 5000],
    ['from zero', 0, 1],
    ['to its maximum', 5, 2 ** 32 - 1],
    ['near its maximum', 2 ** 32 - 2, 2 ** 32 - 1],
  ])('can increase %s, and the new value is stored', async (_, registered, asserted) => {
    const person = await counting(registered);
    expect(await storedCounter(person)).toBe(registered);
    expect((await assert(person, asserted)).status).toBe(200);
    expect(await storedCounter(person)).toBe(asserted);
    expect(await reasonOf(await assert(person, asserted))).toBe('counter_not_increased');
  });

  test('can stay zero, as for synced passkeys', async () => {
    const person = await counting(0);
    for (let login = 0; login < 3; login += 1) expect((await assert(person, 0)).status).toBe(200);
    expect(await storedCounter(person)).toBe(0);
  });

  test.each([
    ['stays the same', 5, 5],
    ['decreases', 5, 4],
    ['drops to zero', 5, 0],
    ['stays at its maximum', 2 ** 32 - 1, 2 ** 32 - 1],
  ])('is rejected when it %s, and audited as `passkey.clone_suspected`', async (_, registered, asserted) => {
    const person = await counting(registered);
    const answer = await assert(person, asserted);
    expect(await reasonOf(answer)).toBe('counter_not_increased');
    expect(await audited(answer)).toEqual([
      {
        event: 'passkey.clone_suspected',
        outcome: 'failure',
        actor_type: 'user',
        actor_name: person.username,
        target_type: 'passkey',
        target_id: person.signedUp.body.passkey.id,
        target_name: person.username,
        details: { reason: 'counter_not_increased' },
      },
    ]);
    expect(await storedCounter(person)).toBe(registered);
    expect(await sessionsOf(person)).toHaveLength(1);
  });

  test('causes no `passkey.clone_suspected` event if the signature is invalid', async () => {
    const person = await counting();
    const tamper = { signCount: 1, afterSigning: { signature: flipLastBit } };
    const answer = await logIn(service.browser(), person.authenticator, { tamper });
    expect(await reasonOf(answer)).toBe('signature_invalid');
    expect(await audited(answer)).toMatchObject([{ event: 'passkey.login' }]);
  });

  test('causes a `passkey.clone_suspected` event when the second copy of a passkey signs in', async () => {
    const person = await counting();
    const clone = person.authenticator.clone();
    expect((await logIn(service.browser(), clone)).status).toBe(200);
    const answer = await logIn(service.browser(), person.authenticator);
    expect(await reasonOf(answer)).toBe('counter_not_increased');
    expect(await audited(answer)).toMatchObject([{ event: 'passkey.clone_suspected' }]);
  });

  test('is accepted from only one of two copies that send the same value concurrently (10 rounds)', async () => {
    for (let round = 0; round < 10; round += 1) {
      const person = await counting();
      const clones = [person.authenticator, person.authenticator.clone()];
      const ceremonies = await Promise.all(clones.map((clone) => prepared(service.browser(), clone)));
      const answers = await Promise.all(ceremonies.map(finish));
      expect(sortedStatuses(answers)).toEqual([200, 401]);
      const loser = answers.find(({ status }) => status === 401) as Answer;
      expect(await reasonOf(loser)).toBe('counter_not_increased');
      expect(await audited(loser)).toMatchObject([{ event: 'passkey.clone_suspected' }]);
      expect(await storedCounter(person)).toBe(6);
      expect(await sessionsOf(person)).toHaveLength(2);
    }
  });

  test('never decreases, in whatever order concurrent sign-ins arrive', async () => {
    for (let round = 0; round < 6; round += 1) {
      const person = await counting();
      const ceremonies = await Promise.all(
        [9, 6, 8, 7, 10].map((signCount) =>
          prepared(service.browser(), person.authenticator, { tamper: { signCount } }),
        ),
      );
      const answers = await Promise.all(ceremonies.map(finish));
      // The highest value is always accepted. Another value is accepted only if no higher value arrived before.
      expect(answers.at(-1)?.status).toBe(200);
      expect(await storedCounter(person)).toBe(10);
      const entered = answers.filter(({ status }) => status === 200).length;
      expect(await sessionsOf(person)).toHaveLength(1 + entered);
    }
  });
});

/** Changes the last character so that the text decodes to the same bytes. Returns null if that is not possible. */
function otherSpelling(text: string): string | null {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const other = `${text.slice(0, -1)}${alphabet[alphabet.indexOf(text.at(-1) ?? '') ^ 1]}`;
  return Buffer.from(other, 'base64url').equals(Buffer.from(text, 'base64url')) ? other : null;
}

function withFlippedBit(bytes: Buffer, at: number): Buffer {
  const flipped = Buffer.from(bytes);
  flipped[at] = (flipped[at] ?? 0) ^ 1;
  return flipped;
}
