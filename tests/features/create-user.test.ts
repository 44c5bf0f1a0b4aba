import { type AuthServiceOptions, createAuthService, type NewUserRequest, sql } from 'latchkey';
import { createInMemoryDatabase } from 'latchkey/testing';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { together } from '../support/many-requests.ts';
import { logIn, newUsername, signUp } from '../support/person.ts';
import { startSecondInstance } from '../support/second-instance.ts';
import { origin, secret, startTestService, type TestService } from '../support/test-service.ts';
import { enroll } from './support/bootstrapping.ts';
import { everyRow } from './support/erasure.ts';
import { bcryptHash, foreignPasskey, newHandle } from './support/imports.ts';
import { logInByPassword, password } from './support/passwords.ts';

const plan = { schema: v.picklist(['free', 'pro']), read: 'user', write: 'operator' } as const;

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ bcryptCost: 4, userFields: { plan } });
});
afterAll(() => service.close());

const users = () => service.auth.asOperator('desk').users;
const create = (more: object = {}) =>
  users().create({ username: newUsername('made'), ...more } as NewUserRequest);
const eventsAbout = async (id: string) =>
  (await service.auditRows()).filter(({ target_id }) => target_id === id);

describe('`users.create`', () => {
  test('creates a user with only a username, who has no password and no passkey', async () => {
    const username = newUsername('Made');
    const { user, link } = await create({ username });
    expect(link).toBeNull();
    expect(user).toMatchObject({
      username: username.toLowerCase(),
      displayName: null,
      role: 'user',
      status: 'active',
      fields: {},
    });
    expect((await users().byId(user.id)).user).toMatchObject({ hasPassword: false, passkeyCount: 0 });
    expect(await eventsAbout(user.id)).toMatchObject([
      {
        event: 'user.create',
        outcome: 'success',
        actor_type: 'operator',
        actor_name: 'desk',
        target_type: 'user',
        target_name: user.username,
        details: { role: 'user', password: false, recoveryLink: false },
      },
    ]);
  });

  test('creates a user with all values', async () => {
    const createdAt = '2024-01-02T03:04:05.678Z';
    const given = { displayName: ' Ada ', role: 'admin', fields: { plan: 'pro' }, password, createdAt };
    const { user } = await create(given);
    expect(user).toMatchObject({ displayName: 'Ada', role: 'admin', fields: { plan: 'pro' }, createdAt });
    expect((await logInByPassword(service.browser(), user)).status).toBe(200);
  });

  test('creates a link with which the user adds the first passkey', async () => {
    const { user, link } = await create({ recoveryLink: true });
    const browser = service.browser();
    expect((await enroll(browser, link?.token)).status).toBe(201);
    expect((await browser.get('/auth/session')).body.user.id).toBe(user.id);
    expect((await enroll(service.browser(), link?.token)).status).not.toBe(201);
    expect((await eventsAbout(user.id))[0]?.details).toMatchObject({ recoveryLink: true });
  });

  test('accepts the hash and the passkeys of another system', async () => {
    const passkey = await foreignPasskey();
    const { user } = await create({
      password: { hash: bcryptHash(password) },
      userHandle: passkey.userHandle,
      passkeys: [passkey.record],
    });
    expect((await logInByPassword(service.browser(), user)).status).toBe(200);
    expect((await logIn(service.browser(), passkey.authenticator)).body.user.id).toBe(user.id);
  });

  test.each<[what: string, request: () => object | Promise<object>, code: string, reason?: string]>([
    ['an invalid username', () => ({ username: 'no spaces' }), 'username_unacceptable', 'invalid'],
    ['a reserved username', () => ({ username: 'admin' }), 'username_unacceptable', 'reserved'],
    ['a taken username', async () => ({ username: (await signUp(service)).username }), 'username_taken'],
    ['a short password', () => ({ password: 'short' }), 'password_unacceptable', 'too_short'],
    ['a common password', () => ({ password: 'password1' }), 'password_unacceptable', 'common'],
    ['an unknown hash', () => ({ password: { hash: 'scrypt:12' } }), 'invalid_request', 'hash_unsupported'],
    ['an unknown field', () => ({ fields: { color: 'pro' } }), 'invalid_request', 'field_invalid'],
    [
      'an unusable key',
      () => ({ passkeys: [{ credentialId: 'AAAA', publicKey: 'AAAA' }] }),
      'invalid_request',
      'passkey_unsupported',
    ],
    [
      'a passkey of another user',
      async () => {
        const { record } = await foreignPasskey();
        await create({ passkeys: [record] });
        return { passkeys: [record] };
      },
      'passkey_already_registered',
    ],
    [
      'the user handle of another user',
      async () => {
        const userHandle = newHandle();
        await create({ userHandle });
        return { userHandle };
      },
      'invalid_request',
      'user_handle_taken',
    ],
  ])('rejects %s, creates nothing and records the refusal', async (_, request, code, reason = code) => {
    const given = { username: newUsername('refused'), ...(await request()) };
    const before = await everyRow(service);
    await expect(create(given)).rejects.toMatchObject({ code });
    const added = (await everyRow(service)).filter((line) => !before.includes(line));
    expect(added).toEqual([expect.stringMatching(/^audit_events /)]);
    expect((await service.auditRows()).at(-1)).toMatchObject({
      event: 'user.create',
      outcome: 'failure',
      actor_type: 'operator',
      actor_name: 'desk',
      target_type: 'user',
      target_id: null,
      // An invalid username can contain any character.
      target_name: reason === 'invalid' ? null : given.username,
      details: { reason },
    });
  });

  test.each<[what: string, request: object]>([
    ['the role superadmin', { role: 'superadmin' }],
    ['an unknown role', { role: 'owner' }],
    ['no username', { username: undefined }],
    ['an unknown property', { roles: ['admin'] }],
    ['a status, which only imports have', { status: 'disabled' }],
    ['the id in another system, which only imports have', { sourceId: '42' }],
    ['an empty display name', { displayName: '' }],
    ['a time in the future', { createdAt: '2999-01-01T00:00:00Z' }],
    ['a flag that is not a boolean', { recoveryLink: 'no' }],
    ['a number as the password', { password: 12345678 }],
  ])('throws a TypeError for %s and creates nothing', async (_, request) => {
    const before = await everyRow(service);
    await expect(create(request)).rejects.toThrow(TypeError);
    expect(await everyRow(service)).toEqual(before);
  });

  test('creates one user if it is called ten times at once with one username', async () => {
    const username = newUsername('raced');
    const results = await together(
      Array.from(
        { length: 10 },
        () => () =>
          create({ username }).then(
            () => 'created',
            ({ code }) => code,
          ),
      ),
    );
    expect(results.sort()).toEqual(['created', ...Array.from({ length: 9 }, () => 'username_taken')]);
    const rows = await service.database.sql`select from latchkey.users where username = ${username}`;
    expect(rows).toHaveLength(1);
    const events = (await service.auditRows()).filter(({ target_name }) => target_name === username);
    expect(events.map(({ outcome, details }) => details.reason ?? outcome).sort()).toEqual([
      'success',
      ...Array.from({ length: 9 }, () => 'username_taken'),
    ]);
  });

  test('runs the statement of `signUp.after`, and does not call `signUp.before`', async () => {
    await service.database.sql`create table profiles (user_id uuid primary key)`;
    let asked = 0;
    const options: AuthServiceOptions = {
      signUp: {
        before: () => {
          asked += 1;
        },
        after: ({ user }) => sql`insert into profiles (user_id) values (${user.id})`,
      },
    };
    const storing = await startSecondInstance(service, options);
    const { user } = await storing.auth.asOperator('desk').users.create({ username: newUsername() });
    await storing.close();
    expect(await service.database.sql`select user_id from profiles`).toEqual([{ user_id: user.id }]);
    expect(asked).toBe(0);
  });

  test('works in the in-memory database', async () => {
    const auth = await createAuthService({
      database: createInMemoryDatabase(),
      migrate: true,
      secret,
      env: {},
      origins: origin,
    });
    try {
      const { users } = auth.asOperator('desk');
      const { user, link } = await users.create({
        username: 'ada',
        createdAt: '2024-01-02T03:04:05Z',
        recoveryLink: true,
      });
      expect(link?.url).toMatch(/#token=/);
      expect((await users.byId(user.id)).user).toMatchObject({ createdAt: '2024-01-02T03:04:05.000Z' });
    } finally {
      await auth.close();
    }
  });
});

describe('`users.byId`', () => {
  test('returns the same as `users.get`', async () => {
    const { user } = await create();
    expect(await users().byId(user.id)).toEqual(await users().get(user.username));
  });

  test('does not find unknown and deleted users', async () => {
    const { user } = await create();
    await users().delete(user.username);
    for (const id of [user.id, crypto.randomUUID()])
      await expect(users().byId(id)).rejects.toMatchObject({ code: 'not_found' });
  });

  test.each(['ada', '', undefined as unknown as string])('throws a TypeError for %j', async (id) => {
    await expect(users().byId(id)).rejects.toThrow(TypeError);
  });
});
