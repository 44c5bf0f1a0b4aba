import { type AuthServiceOptions, type CreatedAccount, type SignUpOptions, sql } from 'latchkey';
import { createInMemoryDatabase } from 'latchkey/testing';
import pg from 'pg';
import postgres from 'postgres';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { together } from '../support/many-requests.ts';
import { newUsername } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { startServiceOn } from '../support/service-on.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { finishSignUp, inviteUser, prepareSignUp, signUpWith } from './support/sign-ups.ts';

type After = NonNullable<SignUpOptions['after']>;

const tables = `
  create table public.profiles (
    user_id uuid primary key references latchkey.users (id),
    username text unique,
    plan text not null default 'free'
  )`;
const insertProfile: After = ({ user }) =>
  sql`insert into public.profiles (user_id, username) values (${user.id}, ${user.username})
    -- The profile of the user`;

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ signUp: { after: insertProfile } });
  await service.database.sql.unsafe(tables);
});
beforeEach(() => service.database.sql`alter table public.profiles drop constraint if exists refusing`);
afterAll(() => service.close());

const countUsers = async () => {
  const [row] = await service.database.sql`select count(*)::int as users from latchkey.users`;
  return row?.users;
};

/** Every account has a profile, and every profile belongs to an account. */
async function expectProfilesOfAllUsers(): Promise<void> {
  const rows = await service.database.sql`
    select users.username, profiles.username as profile from latchkey.users
    full join public.profiles on profiles.user_id = users.id
    where users.id is null or profiles.user_id is null`;
  expect([...rows]).toEqual([]);
}

/** Starts a service on the same database, with another statement. Returns the errors of its responses. */
async function startWith(after: unknown, options: AuthServiceOptions = {}) {
  const errors: Error[] = [];
  const other = await startServiceOn(
    service.database.url,
    { signUp: { after: after as After }, ...options },
    (app) => app.on('error', (error) => errors.push(error)),
  );
  return { ...other, errors };
}

test('the statement runs in the statement that creates the account', async () => {
  const prepared = await prepareSignUp(service);
  service.statements.length = 0;
  const { status, body } = await finishSignUp(prepared);
  expect(status).toBe(201);
  expect(service.statements).toHaveLength(2);
  const [profile] = await service.database.sql`
    select username, plan from public.profiles where user_id = ${body.user.id}`;
  expect(profile).toEqual({ username: prepared.username, plan: 'free' });
  await expectProfilesOfAllUsers();
});

test('the function gets the user and the invitation', async () => {
  const created: CreatedAccount[] = [];
  const other = await startWith((account: CreatedAccount) => {
    created.push(account);
    return insertProfile(account);
  });
  const { invitation, token } = await service.auth.asOperator('ops').invitations.create();
  const person = await signUpWith(other, { displayName: 'Ada', invitation: token });
  const { id, username } = person.signedUp.body.user;
  expect(created).toEqual([
    {
      user: { id, username, displayName: 'Ada', role: 'admin' },
      fields: {},
      invitation: { id: invitation.id, role: 'admin', username: null, createdBy: null, organization: null },
    },
  ]);
  await other.close();
  await expectProfilesOfAllUsers();
});

test('of concurrent sign-ups with one username, one creates an account and a profile', async () => {
  const username = newUsername();
  const prepared = await Promise.all(Array.from({ length: 8 }, () => prepareSignUp(service, { username })));
  const answers = await together(prepared.map((one) => () => finishSignUp(one)));
  expect(answers.map(({ status, body }) => body.code ?? status).sort()).toEqual([
    201,
    ...Array(7).fill('username_taken'),
  ]);
  await expectProfilesOfAllUsers();
});

test('a bootstrap runs the statement for the first superadmin, also with concurrent calls', async () => {
  const empty = await startTestService({ signUp: { after: insertProfile }, bcryptCost: 4 });
  await empty.database.sql.unsafe(tables);
  const results = await together(
    Array.from(
      { length: 3 },
      (_, n) => () =>
        empty.auth
          .asOperator('ops')
          .bootstrap({ username: `root-${n}`, password: 'correct horse battery' })
          .then(
            ({ user }) => user.username,
            ({ code }) => code,
          ),
    ),
  );
  expect(results.filter((result) => result !== 'already_bootstrapped')).toHaveLength(1);
  const profiles = await empty.database.sql`
    select profiles.username from public.profiles join latchkey.users on users.id = profiles.user_id`;
  expect(profiles.map(({ username }) => username)).toEqual(
    results.filter((result) => result !== 'already_bootstrapped'),
  );
  await empty.close();
});

describe('if the database refuses the statement', () => {
  test.each<[string, string, After, RegExp]>([
    [
      'because of a unique column that has the name of a column of the service',
      `update public.profiles set username = 'same' where user_id = (select min(user_id::text)::uuid from public.profiles)`,
      ({ user }) => sql`insert into public.profiles (user_id, username) values (${user.id}, ${'same'})`,
      /duplicate key value violates unique constraint "profiles_username_key"/,
    ],
    [
      'because of a check',
      `alter table public.profiles add constraint refusing check (plan <> 'gold')`,
      ({ user }) => sql`insert into public.profiles (user_id, plan) values (${user.id}, ${'gold'})`,
      /violates check constraint "refusing"/,
    ],
    [
      'because of a missing value',
      'select 1',
      ({ user }) => sql`insert into public.profiles (user_id, plan) values (${user.id}, ${null})`,
      /null value in column "plan"/,
    ],
    [
      'because of a missing table',
      'select 1',
      ({ user }) => sql`insert into public.no_such_table (user_id) values (${user.id})`,
      /relation "public.no_such_table" does not exist/,
    ],
    [
      'because of a syntax error',
      'select 1',
      ({ user }) => sql`insert onto public.profiles (user_id) values (${user.id})`,
      /syntax error/,
    ],
  ])(
    '%s, the response is internal_error, the log names signUp.after, and no account exists',
    async (_, prepare, after, message) => {
      await service.database.sql.unsafe(prepare);
      const other = await startWith(after);
      const { invitation, token } = await service.auth.asOperator('ops').invitations.create();
      const prepared = await prepareSignUp(other, { invitation: token });
      const users = await countUsers();
      expectProblem(await finishSignUp(prepared), 'internal_error');
      expect(other.errors).toHaveLength(1);
      const [error] = other.errors;
      expect(error?.message).toMatch(
        /^signUp\.after: the database refused the statement, so no account was created: /,
      );
      expect(error?.message).toMatch(message);
      expect(error?.cause).toBeInstanceOf(Error);
      expect(await countUsers()).toBe(users);
      await expectProfilesOfAllUsers();
      const [stored] = await service.database.sql`
      select accepted_at from latchkey.invitations where id = ${invitation.id}`;
      expect(stored?.accepted_at).toBeNull();
      await other.close();
      // The invitation and the username can still be used.
      await signUpWith(service, { username: prepared.username, invitation: token });
    },
  );
});

describe('the function causes internal_error, and no account exists, if it returns', () => {
  const expected = 'signUp.after: expected an insert, update or delete, not';
  const notStatement =
    'signUp.after: expected a statement from the tag `sql`, such as sql`insert into profiles (user_id) values ($' +
    '{user.id})`';
  test.each<[string, () => unknown, string]>([
    ['a select', () => sql`select ${1}`, `${expected} select. PostgreSQL would not run it.`],
    [
      'a select after a comment',
      () => sql`-- insert
        /* update */ SELECT ${1}`,
      `${expected} select. PostgreSQL would not run it.`,
    ],
    [
      'a statement that begins with `with`',
      () => sql`with a as (select 1) insert into x select ${1}`,
      `${expected} with. PostgreSQL would not run it.`,
    ],
    ['an empty statement', () => sql``, `${expected} an empty statement. PostgreSQL would not run it.`],
    [
      'a promise',
      async () => sql`insert into public.profiles (user_id) values (${1})`,
      'signUp.after: expected a statement, not a promise. Load data in signUp.before.',
    ],
    [
      'a rejected promise',
      () => Promise.reject(new Error('late')),
      'signUp.after: expected a statement, not a promise. Load data in signUp.before.',
    ],
    ['text', () => 'insert into public.profiles default values', `${notStatement}, not a string`],
    ['nothing', () => undefined, `${notStatement}, not undefined`],
    [
      'an undefined value',
      () => sql`insert into public.profiles (user_id, plan) values (${'a'}, ${undefined})`,
      'signUp.after: value 2 is undefined. Use null instead.',
    ],
  ])('%s', async (_, after, message) => {
    const other = await startWith(after);
    const prepared = await prepareSignUp(other);
    const users = await countUsers();
    expectProblem(await finishSignUp(prepared), 'internal_error');
    expect(other.errors.map((error) => [error.name, error.message])).toEqual([['TypeError', message]]);
    expect(await countUsers()).toBe(users);
    await other.close();
  });

  test('a different SQL text than in the first call', async () => {
    let calls = 0;
    const other = await startWith(({ user }: CreatedAccount) => ({
      strings: [`insert into public.profiles (username, user_id) values ('call-${++calls}', `, ')'],
      values: [user.id],
    }));
    await signUpWith(other, {});
    expectProblem(await finishSignUp(await prepareSignUp(other)), 'internal_error');
    expect(other.errors[0]?.message).toMatch(/^signUp\.after: expected the same SQL text in each call\./);
    await other.close();
    await expectProfilesOfAllUsers();
  });
});

describe('the statement works with', () => {
  test('an update that contains a fragment', async () => {
    await service.database.sql`create table public.counts (signed_up integer not null)`;
    await service.database.sql`insert into public.counts values (0)`;
    const other = await startWith(({ user }: CreatedAccount) => {
      const added = sql`(select count(*) from (values (${user.id})) as created)`;
      return sql`update public.counts set signed_up = signed_up + ${added} returning signed_up;
      `;
    });
    await signUpWith(other, {});
    await signUpWith(other, {});
    const [row] = await service.database.sql`select signed_up from public.counts`;
    expect(row).toEqual({ signed_up: 2 });
    await other.close();
    await service.database.sql`delete from public.profiles`;
  });

  test.each<[string, (url: string) => { client: AuthServiceOptions['database']; end(): Promise<unknown> }]>([
    [
      'a postgres.js client',
      (url) => {
        const client = postgres(url, { onnotice: () => {} });
        return { client, end: () => client.end() };
      },
    ],
    [
      'a pg pool',
      (url) => {
        const client = new pg.Pool({ connectionString: url });
        return { client: client as AuthServiceOptions['database'], end: () => client.end() };
      },
    ],
  ])('%s', async (_, connect) => {
    const { client, end } = connect(service.database.url);
    const other = await startServiceOn(client, { signUp: { after: insertProfile } });
    const [first, second] = [await signUpWith(other, {}), await signUpWith(other, {})];
    for (const { signedUp, username } of [first, second]) {
      const [profile] = await service.database.sql`
        select username from public.profiles where user_id = ${signedUp.body.user.id}`;
      expect(profile?.username).toBe(username);
    }
    const superadmin = await signUpWith(other, {});
    await other.auth.asOperator('ops').users.changeRole(superadmin.username, 'superadmin');
    const { token } = await inviteUser(superadmin.browser);
    await signUpWith(other, { invitation: token });
    // A unique violation in the table of the application is not a taken username.
    const username = newUsername();
    await service.database
      .sql`update public.profiles set username = ${username} where user_id = ${first.signedUp.body.user.id}`;
    expectProblem(await finishSignUp(await prepareSignUp(other, { username })), 'internal_error');
    await other.close();
    await end();
  });

  test('the in-memory database', async () => {
    const database = createInMemoryDatabase();
    await database.query({
      text: 'create table profiles (user_id uuid primary key, username text)',
      values: [],
      auditEvents: [],
      invalidates: [],
    });
    const inMemory = await startServiceOn(database, {
      migrate: true,
      signUp: {
        mode: 'invitation',
        after: ({ user }) =>
          sql`insert into profiles (user_id, username) values (${user.id}, ${user.username})`,
      },
    });
    const { token } = await inMemory.auth.asOperator('ops').invitations.create({ role: 'user' });
    const person = await signUpWith(inMemory, { invitation: token });
    const rows = await database.query({
      text: 'select username from profiles',
      values: [],
      auditEvents: [],
      invalidates: [],
    });
    expect(rows).toEqual([{ username: person.username }]);
    await expect(prepareSignUp(inMemory, { invitation: token })).rejects.toThrow('invitation_unusable');
    await inMemory.close();
  });
});
