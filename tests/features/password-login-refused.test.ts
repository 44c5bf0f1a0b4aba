import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Answer } from '../support/agent.ts';
import { newUsername, type Person, signUp, userIdOf } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { setStatus } from './support/accounts.ts';
import { auditRowsOf } from './support/audit-log.ts';
import {
  addPassword,
  logInByPassword,
  password,
  signUpWithOnlyPassword,
  signUpWithPassword,
  stepUpByPassword,
  wrongPassword,
} from './support/passwords.ts';
import { expectDisabled, shapeOf } from './support/refused-sign-in.ts';

let service: TestService;
let withPassword: Person;
let passwordless: Person;
let disabled: Person;
beforeAll(async () => {
  service = await startTestService({ bcryptCost: 4 });
  [withPassword, passwordless, disabled] = [
    await signUp(service),
    await signUp(service),
    await signUp(service),
  ];
  for (const { browser } of [withPassword, disabled]) await addPassword(browser);
  await setStatus(service, disabled, 'disabled');
});
afterAll(() => service.close());
afterEach(() => expect(service.logged).toEqual([]));

const signIn = (username: string, given?: string) => logInByPassword(service.browser(), { username }, given);

/** A sign-in that must be rejected, and its audit row. */
interface Refused {
  username: string;
  password?: string;
  reason: string;
  /** The user in the audit row. Missing if the username is unknown. */
  target?: Person;
}

const refusedLogins: [name: string, of: () => Refused][] = [
  ['an unknown username', () => ({ username: newUsername('unknown'), reason: 'username_unknown' })],
  ['a reserved username', () => ({ username: 'admin', reason: 'username_unknown' })],
  ['an email address', () => ({ username: 'ada@example.org', reason: 'username_unknown' })],
  ['a username with spaces', () => ({ username: 'ada lovelace', reason: 'username_unknown' })],
  ['an empty username', () => ({ username: '', reason: 'username_unknown' })],
  ['a username of 50,000 characters', () => ({ username: 'x'.repeat(50_000), reason: 'username_unknown' })],
  [
    'a username after 300 spaces',
    () => ({ username: `${' '.repeat(300)}${withPassword.username}`, reason: 'username_unknown' }),
  ],
  [
    'a username before 300 spaces',
    () => ({ username: `${withPassword.username}${' '.repeat(300)}`, reason: 'username_unknown' }),
  ],
  [
    'the username of an account without a password',
    () => ({ username: passwordless.username, reason: 'no_password', target: passwordless }),
  ],
  [
    'a wrong password',
    () => ({
      username: withPassword.username,
      password: wrongPassword,
      reason: 'password_wrong',
      target: withPassword,
    }),
  ],
  [
    'a wrong password for a disabled account',
    () => ({
      username: disabled.username,
      password: wrongPassword,
      reason: 'password_wrong',
      target: disabled,
    }),
  ],
  ...['', 'short', `${password.padEnd(128, '.')}.`, 'x'.repeat(60_000)].map(
    (given): [string, () => Refused] => [
      `an invalid password of ${given.length} characters`,
      () => ({
        username: withPassword.username,
        password: given,
        reason: 'password_wrong',
        target: withPassword,
      }),
    ],
  ),
  [
    'a password of 129 characters for an account without a password',
    () => ({
      username: passwordless.username,
      password: 'x'.repeat(129),
      reason: 'no_password',
      target: passwordless,
    }),
  ],
];

describe.each(refusedLogins)('a sign-in with %s', (_, of) => {
  let refused: Refused;
  let answer: Answer;
  let statements: string[];
  let rowsBefore: number;
  let sessionsBefore: number;
  const countSessions = async () => (await service.database.sql`select from latchkey.sessions`).length;
  beforeEach(async () => {
    refused = of();
    sessionsBefore = await countSessions();
    rowsBefore = (await service.auditRows()).length;
    service.statements.length = 0;
    answer = await signIn(refused.username, refused.password);
    statements = [...service.statements];
  });

  test('gets the same response as any other rejected sign-in', async () => {
    expectProblem(answer, 'authentication_failed');
    expect(shapeOf(answer)).toEqual(shapeOf(await signIn(newUsername(), password)));
    expect(answer.headers.getSetCookie()).toEqual([]);
  });

  test('runs the same two statements as any other rejected sign-in', async () => {
    service.statements.length = 0;
    await signIn(newUsername());
    expect(statements).toEqual(service.statements);
    expect(statements).toHaveLength(2);
  });

  test('writes one audit row with the reason, without the password', async () => {
    expect(await service.auditRows()).toHaveLength(rowsBefore + 1);
    const { reason, target } = refused;
    expect(await auditRowsOf(service, answer)).toEqual([
      {
        event: 'password.login',
        outcome: 'failure',
        actor_type: 'anonymous',
        actor_name: null,
        target_type: target ? 'user' : null,
        target_id: target ? userIdOf(target) : null,
        target_name: target?.username ?? null,
        details: { reason },
      },
    ]);
  });

  test('opens no session', async () => {
    expect(await countSessions()).toBe(sessionsBefore);
  });
});

test('the audit log does not contain unknown usernames', async () => {
  const username = newUsername('not-to-be-kept');
  await signIn(username);
  await signIn(`${username}@example.org`);
  expect(JSON.stringify(await service.auditRows())).not.toContain('not-to-be-kept');
});

test('only the correct password reveals that an account is disabled, after the same two statements', async () => {
  service.statements.length = 0;
  const wrong = await signIn(disabled.username, wrongPassword);
  const usual = service.statements.splice(0);
  expectProblem(wrong, 'authentication_failed');
  const sessions = await service.database.sql`select id from latchkey.sessions`;
  service.statements.length = 0;
  const answer = await signIn(disabled.username);
  expect(service.statements).toEqual(usual);
  await expectDisabled(service, answer);
  expect(await service.database.sql`select id from latchkey.sessions`).toHaveLength(sessions.length);
});

test('a disabled user can sign in again after the account is enabled', async () => {
  const person = await signUpWithPassword(service);
  await setStatus(service, person, 'disabled');
  await expectDisabled(service, await signIn(person.username));
  await setStatus(service, person, 'active');
  expect((await signIn(person.username)).status).toBe(200);
});

describe('password guessing', () => {
  test('is rate limited for each known or unknown username, and attempts from all IP addresses count together', async () => {
    const limited = await startTestService({
      bcryptCost: 4,
      rateLimit: true,
      trustedProxies: 1,
      rateLimits: { password: { account: { max: 3, seconds: 86_400 } } },
    });
    try {
      const person = await signUpWithOnlyPassword(limited);
      for (const username of [person.username, newUsername()]) {
        const statuses: number[] = [];
        for (let n = 0; n < 5; n += 1) {
          const from = { 'X-Forwarded-For': `192.0.2.${n + 1}` };
          const spelled = n % 2 ? username.toUpperCase() : ` ${username}`;
          const body = { username: spelled, password: n === 4 ? password : 'something else' };
          statuses.push((await limited.browser().post('/auth/password/login', body, from)).status);
        }
        expect(statuses).toEqual([401, 401, 401, 429, 429]);
      }
      // A signed-in user has a separate rate limit. Other clients cannot exhaust this limit.
      expect((await stepUpByPassword(person.browser)).status).toBe(200);
    } finally {
      await limited.close();
    }
  });
});
