import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { expectNoLoggedErrors } from '../support/logged-errors.ts';
import { logIn, newUsername, type Person, signUp, userIdOf } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { startSecondInstance } from '../support/second-instance.ts';
import type { ServiceOn } from '../support/service-on.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { found, invite, inviteTo, signUpAs, usersPath } from './support/authority.ts';
import { addPassword, logInByPassword, wrongPassword } from './support/passwords.ts';
import { generateCodes, useCode } from './support/recovery.ts';

let service: TestService;
let byEmail: ServiceOn;
let byNumber: ServiceOn;
beforeAll(async () => {
  service = await startTestService({ bcryptCost: 4 });
  byEmail = await startSecondInstance(service, { bcryptCost: 4, usernames: 'email' });
  byNumber = await startSecondInstance(service, {
    usernames: {
      pattern: /^E\d{4}$/,
      min: 5,
      max: 5,
      canonicalize: (given) => given.trim().toUpperCase().replace('-', ''),
    },
  });
});
afterAll(async () => {
  await byNumber.close();
  await byEmail.close();
  await service.close();
});
afterEach(() => expectNoLoggedErrors(service, byEmail, byNumber));

const newAddress = () => `${newUsername('mail')}@example.com`;
const ask = async (username: string, { browser }: ServiceOn = byEmail) =>
  (await browser().get(`/auth/username/availability?username=${encodeURIComponent(username)}`)).body;
const startSignUp = (username: string, { browser }: ServiceOn = byEmail) =>
  browser().post('/auth/passkey/register/start', { username });

describe('an email address as a username', () => {
  test.each([
    ['  Ada.Lovelace@Example.COM ', 'ada.lovelace@example.com'],
    ['ada+notes@example.com', 'ada+notes@example.com'],
    ["o'neill@sub.example.co.uk", "o'neill@sub.example.co.uk"],
    [`${'a'.repeat(64)}@example.com`, `${'a'.repeat(64)}@example.com`],
    ['ada@xn--bcher-kva.example', 'ada@xn--bcher-kva.example'],
  ])('%j has the canonical form %j', async (given, username) => {
    expect(await ask(given)).toEqual({ username, available: true, reason: null });
  });

  test.each([
    'ada',
    'ada@localhost',
    '@example.com',
    'ada@',
    'ada@@example.com',
    'a..b@example.com',
    '.a@example.com',
    'ada@-example.com',
    'ada@example..com',
    'ada lovelace@example.com',
    'аda@example.com',
    'ada@exаmple.com',
    'ada@exam\u200bple.com',
    '\u202eada@example.com',
    'ada~1@example.com',
    '"ada"@example.com',
    'ada@[192.0.2.1]',
    `${'a'.repeat(65)}@example.com`,
    `ada@${'a'.repeat(64)}.com`,
    `a@${'b.'.repeat(126)}com`,
  ])('%j is refused', async (given) => {
    expect(await ask(given)).toMatchObject({ available: false, reason: 'invalid' });
    expectProblem(await startSignUp(given), 'username_unacceptable', {
      reason: 'invalid',
      nextStep: 'Enter an e-mail address.',
    });
  });

  test('cannot be taken in another spelling, and signs its user in with a passkey, the password or a recovery code', async () => {
    const address = newAddress();
    const person = await signUp(byEmail, { username: address });
    expect(person.signedUp.body.user.username).toBe(address);
    const typed = ` ${address.toUpperCase()}`;
    expectProblem(await startSignUp(typed), 'username_taken');
    expect((await logIn(byEmail.browser(), person.authenticator, { username: typed })).status).toBe(200);
    await addPassword(person.browser);
    expect((await logInByPassword(byEmail.browser(), { username: typed })).status).toBe(200);
    const [code = ''] = await generateCodes(person.browser);
    expect((await useCode(byEmail.browser(), { username: typed }, code)).status).toBe(200);
  });

  test('of 254 characters is found in the list of users', async () => {
    const admin = await signUpAs(service, 'superadmin');
    const labels = 'abcd'.split('').map((letter) => letter.repeat(60));
    const stem = newUsername('long');
    const long = `${stem}@${labels.join('.')}`.slice(0, 250);
    const username = `${long}.com`;
    await signUp(byEmail, { username });
    const { body } = await byEmail.browser(admin.browser.cookies).get(`${usersPath}?query=${username}`);
    expect([username.length, body.users.map((user: { username: string }) => user.username)]).toEqual([
      254,
      [username],
    ]);
  });

  test('is found by its beginning in the list of users, page by page', async () => {
    const admin = await signUpAs(service, 'superadmin');
    const stem = newUsername('list');
    const names = ['a', 'b', 'c'].map((letter) => `${stem}.${letter}@example.com`);
    for (const username of names) await signUp(byEmail, { username });
    const browser = byEmail.browser(admin.browser.cookies);
    const seen: string[] = [];
    let cursor = '';
    do {
      const query = `query=${stem}&limit=1${cursor && `&cursor=${cursor}`}`;
      const { users, nextCursor } = (await browser.get(`${usersPath}?${query}`)).body;
      seen.push(...users.map(({ username }: { username: string }) => username));
      cursor = nextCursor;
    } while (cursor);
    expect(seen).toEqual(names);
  });
});

describe('a user who signed up under another rule', () => {
  let person: Person;
  beforeAll(async () => {
    person = await signUp(service);
    await addPassword(person.browser);
  });

  test.each([
    ['email addresses', () => byEmail],
    ['a custom pattern', () => byNumber],
  ])('can still sign in after a change to %s', async (_, instance) => {
    const typed = person.username.toUpperCase();
    const answer = await logIn(instance().browser(), person.authenticator, { username: typed });
    expect([answer.status, answer.body.user.id]).toEqual([200, userIdOf(person)]);
    expect((await logInByPassword(instance().browser(), { username: typed })).status).toBe(200);
  });

  test('is counted by `users.countUnderOtherRules`', async () => {
    const counted = await byEmail.auth.asOperator('ops').users.countUnderOtherRules();
    const [row] = await service.database.sql<{ handles: number }[]>`
      select count(*)::int as handles from latchkey.users where username not like '%@%'`;
    expect(counted).toBe(row?.handles);
    expect(counted).toBeGreaterThan(0);
  });

  test('can still be invited', async () => {
    const admin = await signUpAs(service, 'superadmin');
    const browser = byEmail.browser(admin.browser.cookies);
    expect((await inviteTo(browser, await found(browser), { username: person.username })).status).toBe(201);
    expect(await invite(browser, { username: person.username })).toEqual(expect.any(String));
  });

  test('shares one limit of wrong passwords between all spellings of the username', async () => {
    const limited = await startSecondInstance(service, {
      bcryptCost: 4,
      usernames: 'email',
      rateLimit: true,
      rateLimits: { password: { account: { max: 3, seconds: 900 } } },
    });
    const { username } = await signUp(service);
    const fullWidth = [...username].map((c) =>
      c === '-' ? c : String.fromCodePoint((c.codePointAt(0) ?? 0) + 0xfee0),
    );
    const spellings = [username, username.toUpperCase(), ` ${username}`, fullWidth.join('')];
    const codes: string[] = [];
    for (const spelling of spellings)
      codes.push((await logInByPassword(limited.browser(), { username: spelling }, wrongPassword)).body.code);
    expect(codes).toEqual([...Array(3).fill('authentication_failed'), 'rate_limited']);
    await limited.close();
  });
});

describe('a custom pattern', () => {
  test.each([
    [' e-0042 ', { username: 'E0042', available: true, reason: null }],
    ['X0042', { username: 'x0042', available: false, reason: 'invalid' }],
    ['E00421', { username: 'e00421', available: false, reason: 'invalid' }],
  ])('is applied to %j after the custom canonical form', async (given, expected) => {
    expect(await ask(given, byNumber)).toEqual(expected);
  });

  test('signs users up with the canonical form', async () => {
    const { signedUp } = await signUp(byNumber, { username: 'e-7001' });
    expect(signedUp.body.user.username).toBe('E7001');
    expectProblem(await startSignUp('E7001', byNumber), 'username_taken');
  });

  test('that converts one username to the username of another user never finds the other user', async () => {
    const stem = newUsername('dot');
    const dotted = await signUp(service, { username: `${stem}.a` });
    const plain = await signUp(service, { username: `${stem}a` });
    await addPassword(dotted.browser);
    const codes = await generateCodes(dotted.browser);
    const instance = await startSecondInstance(service, {
      bcryptCost: 4,
      usernames: {
        pattern: /^[a-z0-9-]+$/,
        canonicalize: (given) => given.trim().toLowerCase().replaceAll('.', ''),
      },
    });
    const operator = instance.auth.asOperator('ops').users;
    for (const person of [dotted, plain]) {
      const { username } = person;
      const started = await logIn(instance.browser(), person.authenticator, { username: ` ${username}` });
      expect(started.body.user?.id).toBe(userIdOf(person));
      expect((await operator.get(username)).user.id).toBe(userIdOf(person));
    }
    const typed = { username: ` ${dotted.username}` };
    expect((await logInByPassword(instance.browser(), typed)).body.user?.id).toBe(userIdOf(dotted));
    expect((await useCode(instance.browser(), typed, codes[0])).body.user?.id).toBe(userIdOf(dotted));
    const admin = await signUpAs(service, 'superadmin');
    const browser = instance.browser(admin.browser.cookies);
    const club = await found(browser);
    const invited = await inviteTo(browser, club, typed);
    expect(invited.body.invitation.username).toBe(dotted.username);
    const answer = await browser.post('/auth/admin/invitations', { ...typed, role: 'admin' });
    expect(answer.body.invitation.username).toBe(dotted.username);
    await operator.delete(dotted.username);
    await expect(operator.delete(dotted.username)).rejects.toMatchObject({ code: 'not_found' });
    expect((await operator.get(plain.username)).user.id).toBe(userIdOf(plain));
    await instance.close();
  });

  test('with uppercase letters lets its users sign in after a change to the default rule', async () => {
    const person = await signUp(byNumber, { username: 'e-7002' });
    expect(person.signedUp.body.user.username).toBe('E7002');
    expect((await logIn(service.browser(), person.authenticator, { username: 'E7002' })).status).toBe(200);
  });

  test('does not allow reserved usernames, in any case', async () => {
    const instance = await startSecondInstance(service, {
      usernames: { pattern: /^[A-Z]+$/, canonicalize: (given) => given.toUpperCase() },
    });
    expect(await ask('admin', instance)).toEqual({ username: 'ADMIN', available: false, reason: 'reserved' });
    await instance.close();
  });

  test('refuses a canonical form that is not its own canonical form', async () => {
    const instance = await startSecondInstance(service, {
      usernames: { pattern: /./, canonicalize: (given) => `${given}x` },
    });
    expect(await ask('some-name', instance)).toMatchObject({ available: false, reason: 'invalid' });
    await instance.close();
  });
});
