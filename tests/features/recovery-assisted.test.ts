import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer, TestAgent } from '../support/agent.ts';
import { startFrozenService, timeOf } from '../support/frozen-clock.ts';
import { logIn, newAuthenticator, type Person, signUp, stepUp, userIdOf } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { send } from '../support/raw-request.ts';
import { meet } from '../support/second-instance.ts';
import { origin, type TestService } from '../support/test-service.ts';
import { endSessions, setRole, setStatus } from './support/accounts.ts';
import { wholeAuditRowsOf } from './support/audit-log.ts';
import { completeRecovery, createLink, linkRowsOf, useLink } from './support/recovery.ts';

const unknownId = '00000000-0000-7000-8000-000000000000';
const malformedIds = ['1', 'null', '%00', `${unknownId}0`, unknownId.replaceAll('-', ''), '%E0%A4%A'];

let service: TestService;
beforeAll(async () => {
  service = await startFrozenService();
});
afterAll(() => service.close());

type Role = 'user' | 'admin' | 'superadmin';
async function personAs(role: Role): Promise<Person> {
  const person = await signUp(service);
  await setRole(service, person, role);
  return person;
}

const pathFor = (id: string) => `/auth/admin/users/${id}/recovery`;
const help = (helper: { browser: TestAgent }, person: Person): Promise<Answer> =>
  helper.browser.post(pathFor(userIdOf(person)));
const use = (token: string, browser = service.browser()) => useLink(browser, token);
const linksOf = (person: Person) => linkRowsOf(service, person);
const rowsOf = (answer: Answer) => wholeAuditRowsOf(service, answer);

describe('a superadmin', () => {
  test.each(['user', 'admin', 'superadmin'] as const)(
    'can create a recovery link for another user with the role %s',
    async (role) => {
      const [helper, person] = [await personAs('superadmin'), await personAs(role)];
      const answer = await help(helper, person);
      expect(answer.status).toBe(201);
      const { token } = answer.body;
      expect(answer.body).toEqual({
        token: expect.stringMatching(/^[\w-]{43}$/),
        url: `${origin}/recover#token=${token}`,
        usableAt: await timeOf(service),
        expiresAt: await timeOf(service, 3600),
      });
      expect(answer.headers.getSetCookie()).toEqual([]);
      expect(await linksOf(person)).toMatchObject([{ maker_id: userIdOf(helper) }]);
      expect(await rowsOf(answer)).toMatchObject([
        {
          event: 'recovery_link.create',
          outcome: 'success',
          actor_type: 'user',
          actor_id: userIdOf(helper),
          actor_name: helper.username,
          target_type: 'user',
          target_id: userIdOf(person),
          target_name: person.username,
          details: {},
        },
      ]);
      expect((await use(token)).body).toMatchObject({
        user: { id: userIdOf(person), role },
        session: { kind: 'recovery', method: 'assisted_recovery' },
      });
    },
  );

  test('cannot create a recovery link for their own account, and the attempt is recorded', async () => {
    const helper = await personAs('superadmin');
    const answer = await help(helper, helper);
    expectProblem(answer, 'forbidden');
    expect(await linksOf(helper)).toEqual([]);
    expect(await rowsOf(answer)).toMatchObject([
      {
        event: 'recovery_link.create',
        outcome: 'failure',
        actor_id: userIdOf(helper),
        target_type: 'user',
        target_id: userIdOf(helper),
        target_name: helper.username,
        details: { reason: 'oneself' },
      },
    ]);
  });

  test('cannot create a recovery link for a disabled user, and the attempt is recorded', async () => {
    const [helper, person] = [await personAs('superadmin'), await signUp(service)];
    await setStatus(service, person, 'disabled');
    const answer = await help(helper, person);
    expectProblem(answer, 'account_disabled');
    expect(await linksOf(person)).toEqual([]);
    expect(await rowsOf(answer)).toMatchObject([
      { outcome: 'failure', target_id: userIdOf(person), details: { reason: 'account_disabled' } },
    ]);
  });

  test('gets 404 for an unknown or malformed user id', async () => {
    const helper = await personAs('superadmin');
    for (const id of [unknownId, ...malformedIds]) {
      expectProblem(await helper.browser.post(pathFor(id)), 'not_found');
    }
  });

  test('needs fresh authentication', async () => {
    const [helper, person] = [await personAs('superadmin'), await signUp(service)];
    await service.turnClock({ minutes: 11 });
    expectProblem(await help(helper, person), 'reauthentication_required');
    expect(await linksOf(person)).toEqual([]);
    await stepUp(helper.browser, helper.authenticator);
    expect((await help(helper, person)).status).toBe(201);
  });

  test('in a recovery session cannot create a recovery link', async () => {
    const [helper, person] = [await personAs('superadmin'), await signUp(service)];
    const { token } = await createLink(service, helper);
    const browser = service.browser();
    await use(token, browser);
    expectProblem(await help({ browser }, person), 'recovery_session');
    expect(await linksOf(person)).toEqual([]);
  });

  test('replaces every earlier recovery link of the user', async () => {
    const [one, other] = [await personAs('superadmin'), await personAs('superadmin')];
    const person = await signUp(service);
    const tokens = [
      (await help(one, person)).body.token,
      (await help(one, person)).body.token,
      (await createLink(service, person)).token,
      (await help(other, person)).body.token,
    ];
    expect(await linksOf(person)).toMatchObject([{ maker_id: userIdOf(other) }]);
    for (const token of tokens.slice(0, -1)) expectProblem(await use(token), 'authentication_failed');
    expect((await use(tokens[3])).status).toBe(200);
  });

  test('creates no recovery link if their session ends before the statement runs', async () => {
    const [helper, person] = [await personAs('superadmin'), await signUp(service)];
    const { answer, changed } = await meet(service, {
      before: /insert into latchkey\.recovery_links/,
      change: () => endSessions(service, helper),
      act: (instance) => help({ browser: instance.browser(helper.browser.cookies) }, person),
    });
    expect(changed).toBe(1);
    expectProblem(answer, 'not_authenticated');
    expect(await linksOf(person)).toEqual([]);
    expect(await rowsOf(answer)).toMatchObject([
      { event: 'recovery_link.create', outcome: 'failure', details: { reason: 'session_ended' } },
    ]);
  });
});

describe('creating a recovery link', () => {
  test('is rejected without a session', async () => {
    const person = await signUp(service);
    expectProblem(await help({ browser: service.browser() }, person), 'not_authenticated');
  });

  test('by a caller with the role user is rejected for every user id, and the attempt is recorded', async () => {
    const [helper, person] = [await signUp(service), await signUp(service)];
    for (const id of [userIdOf(person), userIdOf(helper), unknownId, ...malformedIds]) {
      const answer = await helper.browser.post(pathFor(id));
      expectProblem(answer, 'forbidden');
      expect(await rowsOf(answer)).toMatchObject([
        {
          event: 'recovery_link.create',
          outcome: 'failure',
          actor_id: userIdOf(helper),
          actor_name: helper.username,
          target_id: malformedIds.includes(id) ? null : id,
          // The service does not look up the target, so the caller cannot learn whether it exists.
          target_name: null,
          details: { reason: 'role_too_low' },
        },
      ]);
    }
    expect(await linksOf(person)).toEqual([]);
  });

  test.each(['user', 'admin', 'superadmin'] as const)(
    'by an admin returns 404 for a user with the role %s who is not a member of the admin’s organizations',
    async (role) => {
      const [helper, person] = [await personAs('admin'), await personAs(role)];
      const answer = await help(helper, person);
      expectProblem(answer, 'not_found');
      expect(await rowsOf(answer)).toMatchObject([
        {
          event: 'recovery_link.create',
          outcome: 'failure',
          actor_id: userIdOf(helper),
          target_id: userIdOf(person),
          target_name: null,
          details: { reason: 'not_of_their_organizations' },
        },
      ]);
      expectProblem(await help(helper, helper), 'not_found');
      for (const id of [unknownId, ...malformedIds]) {
        expectProblem(await helper.browser.post(pathFor(id)), 'not_found');
      }
      expect(await linksOf(person)).toEqual([]);
    },
  );

  test('is rejected after a demotion from superadmin', async () => {
    const [helper, person] = [await personAs('superadmin'), await signUp(service)];
    await setRole(service, helper, 'user');
    expectProblem(await help(helper, person), 'forbidden');
    expect(await linksOf(person)).toEqual([]);
  });
});

test('creating a recovery link checks, in this order: the session, its kind, fresh authentication, the role, the target, the body', async () => {
  const [helper, person] = [await personAs('user'), await signUp(service)];
  const { sql } = service.database;
  const id = userIdOf(helper);
  await sql`
    update latchkey.sessions set kind = 'recovery', authenticated_at = '2000-01-01' where user_id = ${id}`;
  const request = { cookie: 'latchkey=AAAA', type: 'text/plain', body: '{"userId":1}', id: unknownId };
  const ask = () =>
    send(service.url, pathFor(request.id), {
      method: 'POST',
      headers: { Origin: origin, Cookie: request.cookie, 'Content-Type': request.type },
      body: request.body,
    });

  expectProblem(await ask(), 'not_authenticated');
  request.cookie = `latchkey=${helper.browser.cookies.get('latchkey')}`;
  expectProblem(await ask(), 'recovery_session');
  await sql`update latchkey.sessions set kind = 'full' where user_id = ${id}`;
  expectProblem(await ask(), 'reauthentication_required');
  await sql`update latchkey.sessions set authenticated_at = latchkey.clock() where user_id = ${id}`;
  expectProblem(await ask(), 'forbidden');
  await setRole(service, helper, 'admin');
  expectProblem(await ask(), 'not_found');
  await setRole(service, helper, 'superadmin');
  expectProblem(await ask(), 'not_found');
  request.id = id;
  expectProblem(await ask(), 'forbidden');
  request.id = userIdOf(person);
  expectProblem(await ask(), 'unsupported_media_type');
  request.type = 'application/json';
  expectProblem(await ask(), 'invalid_request', {
    errors: [{ path: 'userId', message: 'this property is unknown' }],
  });
  expect(await linksOf(person)).toEqual([]);
  request.body = '{}';
  expect((await ask()).status).toBe(201);
});

test('the audit log records a recovery by link from the creation of the link to the new passkey', async () => {
  const [helper, person] = [await personAs('superadmin'), await signUp(service)];
  const elsewhere = service.browser();
  await logIn(elsewhere, person.authenticator);
  const before = (await service.auditRows()).length;

  const { url } = (await help(helper, person)).body;
  const token = new URLSearchParams(new URL(url).hash.slice(1)).get('token') ?? '';
  const browser = service.browser();
  expect((await use(token, browser)).status).toBe(200);
  const authenticator = newAuthenticator();
  const { device, recoveryCodes } = (await completeRecovery(browser, {}, authenticator)).body;
  expect(recoveryCodes.codes).toHaveLength(10);

  const { user, session } = (await browser.get('/auth/session')).body;
  expect(user).toMatchObject({ id: userIdOf(person), passkeyCount: 1 });
  expect(session).toMatchObject({ kind: 'full', method: 'passkey' });
  for (const ended of [person.browser, elsewhere]) {
    expectProblem(await ended.get('/auth/session'), 'not_authenticated');
  }
  expect((await helper.browser.get('/auth/session')).status).toBe(200);
  expect((await logIn(service.browser(), authenticator)).body.user.id).toBe(userIdOf(person));
  expectProblem(await use(token), 'authentication_failed');

  const recorded = (await service.auditRows()).slice(before, before + 6);
  const [byHelper, byPerson] = [helper, person].map((one) => ({
    outcome: 'success',
    actor_type: 'user',
    actor_id: userIdOf(one),
    actor_name: one.username,
  }));
  const aboutPerson = { target_type: 'user', target_id: userIdOf(person), target_name: person.username };
  const aboutPasskey = { target_type: 'passkey', target_id: device.id, target_name: 'Passkey' };
  expect(recorded.slice(0, 2)).toMatchObject([
    { event: 'recovery_link.create', ...byHelper, ...aboutPerson },
    { event: 'recovery_link.use', ...byPerson, ...aboutPerson },
  ]);
  expect(recorded.slice(2).sort((a, b) => (a.event < b.event ? -1 : 1))).toMatchObject([
    { event: 'passkey.add', ...byPerson, ...aboutPasskey },
    { event: 'passkey.remove', ...byPerson, target_id: person.signedUp.body.passkey.id },
    {
      event: 'recovery.complete',
      ...byPerson,
      ...aboutPerson,
      details: { method: 'assisted_recovery', keptPasskeys: 0, removedPasskeys: 1, removedPassword: false },
    },
    { event: 'recovery_code.generate', ...byPerson, ...aboutPerson, details: { total: 10 } },
  ]);
});
