import { type CreatedAccount, type SignUpOptions, sql, type UsernameRequest } from 'latchkey';
import * as v from 'valibot';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newUsername, type Person, userIdOf } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { startSecondInstance } from '../support/second-instance.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { setRole } from './support/accounts.ts';
import { usersPath } from './support/authority.ts';
import { finishSignUp, inviteUser, prepareSignUp, signUpWith } from './support/sign-ups.ts';

const userFields = {
  locale: { schema: v.pipe(v.string(), v.length(2)), read: 'user', write: 'user', required: true },
  bio: { schema: v.string(), read: 'user', write: 'user' },
  plan: { schema: v.optional(v.picklist(['free', 'pro']), 'free'), read: 'user', write: 'operator' },
} as const;

let before: NonNullable<SignUpOptions['before']> = () => {};
let requests: UsernameRequest[] = [];
let created: CreatedAccount[] = [];
let service: TestService;
let superadmin: Person;
const errors: Error[] = [];
beforeAll(async () => {
  const signUp: SignUpOptions = {
    mode: 'invitation',
    before(request) {
      requests.push(request);
      return before(request);
    },
    after(account) {
      created.push(account);
      const { user, fields } = account;
      return sql`insert into public.profiles (user_id, plan) values (${user.id}, ${fields.plan ?? null})`;
    },
  };
  const options = { signUp, userFields, usernames: { change: 'user' } };
  service = await startTestService(options as object, (app) =>
    app.on('error', (error) => errors.push(error)),
  );
  await service.database.sql.unsafe('create table public.profiles (user_id uuid primary key, plan text)');
  const { token } = await service.auth.asOperator('ops').invitations.create({ role: 'user' });
  superadmin = await signUpWith(service, { invitation: token, fields: { locale: 'en' } });
  await setRole(service, superadmin, 'superadmin');
});
beforeEach(() => {
  before = () => {};
  requests = [];
  created = [];
  errors.length = 0;
});
afterAll(() => service.close());

const planOf = async (userId: string) => {
  const [profile] = await service.database.sql`select plan from public.profiles where user_id = ${userId}`;
  return profile?.plan;
};

describe('a sign-up with an invitation and own fields', () => {
  test('asks the application with the checked fields, stores the fields it adds, and gives them to its statement', async () => {
    before = ({ kind }) => (kind === 'sign_up' ? { fields: { plan: 'pro' } } : undefined);
    const { id, token } = await inviteUser(superadmin.browser);
    const person = await signUpWith(service, { invitation: token, fields: { locale: 'de' } });
    expect(requests.map((request) => request.kind === 'sign_up' && request.fields)).toEqual([
      { locale: 'de' },
      { locale: 'de' },
    ]);
    expect(created.map(({ fields, invitation }) => [fields, invitation?.id])).toEqual([
      [{ locale: 'de', plan: 'pro' }, id],
    ]);
    const { body } = await person.browser.get('/auth/session');
    expect(body.user.fields).toEqual({ locale: 'de', plan: 'pro' });
    expect(await planOf(userIdOf(person))).toBe('pro');
  });

  test('needs the required fields, but says so only to a user with a valid invitation', async () => {
    const start = (input: object) =>
      service.browser().post('/auth/passkey/register/start', { username: newUsername(), ...input });
    expectProblem(await start({}), 'invitation_required');
    expectProblem(await start({ invitation: 'A'.repeat(43) }), 'invitation_not_found');
    const { token } = await inviteUser(superadmin.browser);
    const answer = await start({ invitation: token });
    expectProblem(answer, 'invalid_request', {
      errors: [{ path: 'fields.locale', message: 'this property is required' }],
    });
  });

  test('cannot contain a field that only the application can write', async () => {
    const { token } = await inviteUser(superadmin.browser);
    const fields = { locale: 'de', plan: 'pro' };
    const answer = await service
      .browser()
      .post('/auth/passkey/register/start', { username: newUsername(), invitation: token, fields });
    expectProblem(answer, 'invalid_request', {
      errors: [{ path: 'fields.plan', message: 'this property is unknown' }],
    });
    expect(requests).toEqual([]);
  });
});

test.each([
  ['an unknown field', { color: 'red' }, 'signUp.before: fields.color: this property is unknown'],
  ['an invalid value', { plan: 'gold' }, /^signUp\.before: fields\.plan: .*"gold"/],
  ['too many bytes', { locale: 'x'.repeat(5000) }, /^signUp\.before: fields/],
])('an application that adds %s causes internal_error and no account', async (_, fields, message) => {
  const { token } = await inviteUser(superadmin.browser);
  const prepared = await prepareSignUp(service, { invitation: token, fields: { locale: 'de' } });
  before = () => ({ fields });
  expectProblem(await finishSignUp(prepared), 'internal_error');
  expect(errors.map((error) => error.message)).toEqual([expect.stringMatching(message)]);
  expect(created).toEqual([]);
  before = () => {};
  expect(
    (await finishSignUp(await prepareSignUp(service, { invitation: token, fields: { locale: 'de' } })))
      .status,
  ).toBe(201);
});

test('a user whose fields are too large together with the added fields gets invalid_request', async () => {
  const { token } = await inviteUser(superadmin.browser);
  const fields = { locale: 'de', bio: 'x'.repeat(4060) };
  const input = { username: newUsername(), invitation: token, fields };
  before = ({ kind }) => (kind === 'sign_up' ? { fields: { plan: 'pro' } } : undefined);
  const answer = await service.browser().post('/auth/passkey/register/start', input);
  expectProblem(answer, 'invalid_request', {
    errors: [{ path: 'fields', message: 'expected at most 4096 bytes of JSON in all fields' }],
  });
  expect(errors).toEqual([]);
});

test.each(['valueOf', 'toString', 'hasOwnProperty'])(
  'a required field can have the name %s',
  async (name) => {
    const field = { schema: v.string(), read: 'user', write: 'user', required: true } as const;
    const instance = await startSecondInstance(service, { userFields: { [name]: field } } as object);
    const start = (fields: object) =>
      instance.browser().post('/auth/passkey/register/start', { username: newUsername(), fields });
    expectProblem(await start({}), 'invalid_request', {
      errors: [{ path: `fields.${name}`, message: 'this property is required' }],
    });
    expect((await start({ [name]: 'x' })).status).toBe(200);
    await instance.close();
  },
);

describe('a change of the username', () => {
  const rename = ({ browser }: Person, username: string) =>
    browser.put('/auth/account/username', { username });

  test('asks the application, and a refusal shows its reason, is recorded, and keeps the username', async () => {
    const { token } = await inviteUser(superadmin.browser);
    const person = await signUpWith(service, { invitation: token, fields: { locale: 'de' } });
    const next = newUsername();
    requests = [];
    before = () => ({ refuse: 'This name is blocked.' });
    expectProblem(await rename(person, next.toUpperCase()), 'sign_up_refused', {
      detail: 'This name is blocked.',
    });
    const { id, username } = person.signedUp.body.user;
    expect(requests).toEqual([
      expect.objectContaining({
        kind: 'rename',
        username: next,
        user: expect.objectContaining({ id, username }),
      }),
    ]);
    expect((await service.auditRows()).at(-1)).toMatchObject({
      event: 'account.rename',
      outcome: 'failure',
      target_id: id,
      details: { reason: 'sign_up_refused' },
    });
    expect((await person.browser.get('/auth/session')).body.user.username).toBe(username);
  });

  test('by an admin asks the application, and by an operator does not', async () => {
    const { token } = await inviteUser(superadmin.browser);
    const person = await signUpWith(service, { invitation: token, fields: { locale: 'de' } });
    before = () => ({ refuse: 'This name is blocked.' });
    const path = `${usersPath}/${userIdOf(person)}/username`;
    const detail = 'This name is blocked.';
    expectProblem(await superadmin.browser.put(path, { username: newUsername() }), 'sign_up_refused', {
      detail,
    });
    const next = newUsername();
    await service.auth.asOperator('ops').users.rename(person.username, next);
    expect((await person.browser.get('/auth/session')).body.user.username).toBe(next);
  });

  test('asks the application once, also if the account changes at the same time', async () => {
    const { token } = await inviteUser(superadmin.browser);
    const person = await signUpWith(service, { invitation: token, fields: { locale: 'de' } });
    requests = [];
    before = async () => {
      const { users } = service.auth.asOperator('ops');
      await users.update(person.username, { displayName: `${requests.length}` });
    };
    const next = newUsername();
    expect((await rename(person, next)).body.user).toMatchObject({ username: next, displayName: '1' });
    expect(requests).toHaveLength(1);
  });

  test('does not ask the application if the account has too many earlier usernames', async () => {
    const { token } = await inviteUser(superadmin.browser);
    const person = await signUpWith(service, { invitation: token, fields: { locale: 'de' } });
    for (let count = 0; count < 10; count += 1) await rename(person, newUsername());
    requests = [];
    expectProblem(await rename(person, newUsername()), 'too_many_usernames');
    expect(requests).toEqual([]);
  });

  test('cannot add own fields', async () => {
    const { token } = await inviteUser(superadmin.browser);
    const person = await signUpWith(service, { invitation: token, fields: { locale: 'de' } });
    before = () => ({ fields: { plan: 'pro' } });
    expectProblem(await rename(person, newUsername()), 'internal_error');
    expect(errors[0]?.message).toMatch(/^signUp\.before: expected undefined .* characters' }, not object$/);
  });
});
