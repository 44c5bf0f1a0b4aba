import type { SignUpOptions, UsernameRequest } from 'latchkey';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newUsername, type Person } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { signUpAs } from './support/authority.ts';
import { finishSignUp, inviteUser, prepareSignUp, signUpWith, startPath } from './support/sign-ups.ts';

type Before = NonNullable<SignUpOptions['before']>;

let before: Before = () => {};
let service: TestService;
let superadmin: Person;
const errors: unknown[] = [];
beforeAll(async () => {
  service = await startTestService({ signUp: { before: (request) => before(request) } }, (app) =>
    app.on('error', (error) => errors.push(error)),
  );
  superadmin = await signUpAs(service, 'superadmin');
});
beforeEach(() => {
  before = () => {};
  errors.length = 0;
});
afterAll(() => service.close());

const lastEvent = async () => (await service.auditRows()).at(-1);
const countUsers = async () => {
  const [row] = await service.database.sql`select count(*)::int as users from latchkey.users`;
  return row?.users;
};
const start = (input: object = {}) =>
  service.browser().post(startPath, { username: newUsername(), ...input });

test('the function gets the request when a sign-up starts, and again when it finishes', async () => {
  const requests: UsernameRequest[] = [];
  before = async (request) => void requests.push(request);
  const { id, token } = await inviteUser(superadmin.browser);
  const username = newUsername();
  await signUpWith(service, { username: username.toUpperCase(), displayName: ' Ada ', invitation: token });
  expect(requests).toHaveLength(2);
  for (const request of requests)
    expect(request).toEqual({
      kind: 'sign_up',
      username,
      displayName: 'Ada',
      fields: {},
      invitation: {
        id,
        role: 'user',
        username: null,
        createdBy: { id: superadmin.signedUp.body.user.id, username: superadmin.username },
        organization: null,
      },
      ipAddress: '127.0.0.1',
      userAgent: 'node',
      requestId: expect.stringMatching(/^[\da-f-]{36}$/),
    });
  expect(requests[0]?.requestId).not.toBe(requests[1]?.requestId);
});

test('the function is not called for a username that is invalid, reserved or taken', async () => {
  let calls = 0;
  before = () => {
    calls += 1;
  };
  for (const username of ['no good', 'admin', superadmin.username]) await start({ username });
  expect(calls).toBe(0);
});

describe.each<[string, (answer: { refuse: string }) => ReturnType<Before>]>([
  ['synchronous', (answer) => answer],
  ['asynchronous', (answer) => Promise.resolve(answer)],
])('a %s refusal', (_, answering) => {
  const reason = 'Only members of the club can sign up 🚲.';

  test('at the start shows the reason and is recorded', async () => {
    before = () => answering({ refuse: reason });
    const username = newUsername();
    expectProblem(await start({ username }), 'sign_up_refused', { detail: reason });
    expect(await lastEvent()).toMatchObject({
      event: 'account.signup',
      outcome: 'failure',
      actor_type: 'anonymous',
      target_name: username,
      details: { reason: 'sign_up_refused' },
    });
  });

  test('at the finish shows the reason, is recorded, and changes nothing', async () => {
    const { id, token } = await inviteUser(superadmin.browser);
    const prepared = await prepareSignUp(service, { invitation: token });
    const users = await countUsers();
    before = () => answering({ refuse: reason });
    expectProblem(await finishSignUp(prepared), 'sign_up_refused', { detail: reason });
    expect(await lastEvent()).toMatchObject({
      event: 'account.signup',
      outcome: 'failure',
      target_name: prepared.username,
      details: { reason: 'sign_up_refused' },
    });
    expect(await countUsers()).toBe(users);
    const [stored] = await service.database.sql`
      select accepted_at from latchkey.invitations where id = ${id}`;
    expect(stored?.accepted_at).toBeNull();
    expect(prepared.browser.cookies.has('latchkey')).toBe(false);
  });
});

describe.each<[string, () => unknown, string | RegExp]>([
  [
    'throws',
    () => {
      throw new Error('the list of members is unreachable');
    },
    'the list of members is unreachable',
  ],
  ['rejects', () => Promise.reject(new Error('no list')), 'no list'],
  ['returns false', () => false, /^signUp\.before: expected undefined to allow .*, not false$/],
  ['returns true', () => true, /not true$/],
  ['returns null', () => null, /not null$/],
  ['returns a string', () => 'no', /not a string$/],
  ['returns an object without a reason', () => ({}), /not object$/],
  ['returns an empty reason', () => ({ refuse: '' }), /^signUp\.before: /],
  ['returns a reason that is no string', () => ({ refuse: true }), /^signUp\.before: /],
  ['returns a reason of 201 characters', () => ({ refuse: 'x'.repeat(201) }), /1 to 200 characters/],
  ['returns a reason with a line break', () => ({ refuse: 'a\nb' }), /^signUp\.before: /],
])('a function that %s', (_, answering, message) => {
  test('causes internal_error at the start and at the finish, and changes nothing', async () => {
    const prepared = await prepareSignUp(service);
    const users = await countUsers();
    before = answering as Before;
    expectProblem(await start(), 'internal_error');
    expectProblem(await finishSignUp(prepared), 'internal_error');
    expect(errors).toHaveLength(2);
    for (const error of errors)
      expect((error as Error).message)[typeof message === 'string' ? 'toBe' : 'toMatch'](message as never);
    expect(await countUsers()).toBe(users);
  });
});

test('a reason can have 200 characters', async () => {
  const refuse = '🚲'.repeat(200);
  before = () => ({ refuse });
  expectProblem(await start(), 'sign_up_refused', { detail: refuse });
});

test.each([
  ['signUp.before', { before: 'yes' }],
  ['signUp.after', { after: {} }],
])('the service does not start if %s is not a function', async (option, signUp) => {
  await expect(startTestService({ signUp: signUp as never })).rejects.toThrow(
    `${option}: expected a function, not `,
  );
});
