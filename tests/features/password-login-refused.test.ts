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
  signUpWithPassword,
  stepUpByPassword,
  wrongPassword,
} from './support/passwords.ts';
import { shapeOf } from './support/refused-sign-in.ts';

let service: TestService;
let keeper: Person;
let passwordless: Person;
let disabled: Person;
beforeAll(async () => {
  service = await startTestService({ bcryptCost: 4 });
  [keeper, passwordless, disabled] = [await signUp(service), await signUp(service), await signUp(service)];
  for (const { browser } of [keeper, disabled]) await addPassword(browser);
  await setStatus(service, disabled, 'disabled');
});
afterAll(() => service.close());
afterEach(() => expect(service.logged).toEqual([]));

const enter = (username: string, given?: string) => logInByPassword(service.browser(), { username }, given);

/** A login that must fail, and what the audit log says of it. */
interface Refused {
  username: string;
  password?: string;
  reason: string;
  /** Whom the row is about; nobody where the name is nobody's. */
  target?: Person;
}

const refusedLogins: [name: string, of: () => Refused][] = [
  ['a name that nobody has', () => ({ username: newUsername('nobody'), reason: 'username_unknown' })],
  ['a reserved name', () => ({ username: 'admin', reason: 'username_unknown' })],
  ['an e-mail address', () => ({ username: 'ada@example.org', reason: 'username_unknown' })],
  ['a name with spaces', () => ({ username: 'ada lovelace', reason: 'username_unknown' })],
  ['an empty name', () => ({ username: '', reason: 'username_unknown' })],
  ['a name of fifty thousand letters', () => ({ username: 'x'.repeat(50_000), reason: 'username_unknown' })],
  [
    'somebody’s name behind 300 spaces, which is nobody’s,',
    () => ({ username: `${' '.repeat(300)}${keeper.username}`, reason: 'username_unknown' }),
  ],
  [
    'somebody’s name before 300 spaces, which is nobody’s,',
    () => ({ username: `${keeper.username}${' '.repeat(300)}`, reason: 'username_unknown' }),
  ],
  [
    'an account without a password',
    () => ({ username: passwordless.username, reason: 'no_password', target: passwordless }),
  ],
  [
    'a wrong password',
    () => ({
      username: keeper.username,
      password: wrongPassword,
      reason: 'password_wrong',
      target: keeper,
    }),
  ],
  [
    'a disabled account with its password',
    () => ({ username: disabled.username, reason: 'user_disabled', target: disabled }),
  ],
  [
    'a disabled account with a wrong password',
    () => ({
      username: disabled.username,
      password: wrongPassword,
      reason: 'password_wrong',
      target: disabled,
    }),
  ],
  ...['', 'short', `${password.padEnd(72, '.')}.`, 'x'.repeat(60_000)].map(
    (given): [string, () => Refused] => [
      `a password of ${given.length} characters, which nobody can have,`,
      () => ({ username: keeper.username, password: given, reason: 'password_wrong', target: keeper }),
    ],
  ),
  [
    'a password of 73 bytes for an account without one',
    () => ({
      username: passwordless.username,
      password: 'x'.repeat(73),
      reason: 'no_password',
      target: passwordless,
    }),
  ],
];

describe.each(refusedLogins)('a login with %s', (_, of) => {
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
    answer = await enter(refused.username, refused.password);
    statements = [...service.statements];
  });

  test('is refused without a word why, as any other is: the same body, the same headers', async () => {
    expectProblem(answer, 'authentication_failed');
    expect(shapeOf(answer)).toEqual(shapeOf(await enter(newUsername(), password)));
    expect(answer.headers.getSetCookie()).toEqual([]);
  });

  test('asks the database as any other does: the same two statements', async () => {
    service.statements.length = 0;
    await enter(newUsername());
    expect(statements).toEqual(service.statements);
    expect(statements).toHaveLength(2);
  });

  test('leaves one failure in the audit log, with the reason and without the password', async () => {
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

test('a name that nobody has is written down nowhere', async () => {
  const username = newUsername('not-to-be-kept');
  await enter(username);
  await enter(`${username}@example.org`);
  expect(JSON.stringify(await service.auditRows())).not.toContain('not-to-be-kept');
});

test('a disabled person gets in again once they are enabled', async () => {
  const person = await signUpWithPassword(service);
  await setStatus(service, person, 'disabled');
  expect((await enter(person.username)).status).toBe(401);
  await setStatus(service, person, 'active');
  expect((await enter(person.username)).status).toBe(200);
});

describe('who guesses at a password', () => {
  test('is stopped by the budget of the name, of an unknown one alike, from wherever they come', async () => {
    const limited = await startTestService({
      bcryptCost: 4,
      rateLimit: true,
      trustProxy: 1,
      rateLimits: { password: { account: { max: 3, seconds: 60 } } },
    });
    try {
      const person = await signUpWithPassword(limited);
      for (const username of [person.username, newUsername()]) {
        const statuses: number[] = [];
        for (let n = 0; n < 5; n += 1) {
          const from = { 'X-Forwarded-For': `192.0.2.${n + 1}` };
          const spelt = n % 2 ? username.toUpperCase() : ` ${username}`;
          const body = { username: spelt, password: n === 4 ? password : 'something else' };
          statuses.push((await limited.browser().post('/auth/password/login', body, from)).status);
        }
        expect(statuses).toEqual([401, 401, 401, 429, 429]);
      }
      // Whoever is signed in has a budget of their own: a stranger cannot spend it.
      expect((await stepUpByPassword(person.browser)).status).toBe(200);
    } finally {
      await limited.close();
    }
  });
});
