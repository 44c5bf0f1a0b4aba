import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '../support/agent.ts';
import { newUsername, type Person, signUp, userIdOf } from '../support/person.ts';
import { expectProblem, expectUncached } from '../support/problem.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { setStatus } from './support/accounts.ts';
import { wholeAuditRowsOf } from './support/audit-log.ts';
import { currentSession } from './support/current-session.ts';
import { generateCodes, revokeCodes, useCode } from './support/recovery.ts';
import { expectDisabled, reasonOfRefusal, shapeOf } from './support/refused-sign-in.ts';

const unknownCode = '22222-33333-44444-55555';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const generate = async ({ browser }: Person): Promise<string> => `${(await generateCodes(browser))[0]}`;
const use = (username: string, code: string): Promise<Answer> =>
  useCode(service.browser(), { username }, code);
const expire = (person: Person) =>
  service.database.sql`
    update latchkey.recovery_codes set expires_at = latchkey.clock() where user_id = ${userIdOf(person)}`;

interface Attempt {
  username: string;
  code: string;
}

/** Every kind of rejected attempt, with the reason in the audit log. */
const refusals: [name: string, reason: string, prepare: (person: Person) => Promise<Attempt>][] = [
  ['an unknown username', 'username_unknown', async () => ({ username: newUsername(), code: unknownCode })],
  ['an invalid username', 'username_unknown', async () => ({ username: 'not a name!', code: unknownCode })],
  ['a reserved username', 'username_unknown', async () => ({ username: 'admin', code: unknownCode })],
  ['an empty username', 'username_unknown', async () => ({ username: '', code: unknownCode })],
  [
    'a username of 10,000 characters',
    'username_unknown',
    async () => ({ username: 'x'.repeat(10_000), code: unknownCode }),
  ],
  [
    'an unknown username with another user’s code',
    'username_unknown',
    async (person) => ({ username: newUsername(), code: await generate(person) }),
  ],
  ['a user without codes', 'code_unknown', async ({ username }) => ({ username, code: unknownCode })],
  [
    'a wrong code',
    'code_unknown',
    async (person) => {
      await generate(person);
      return { username: person.username, code: unknownCode };
    },
  ],
  [
    'an empty code',
    'code_unknown',
    async (person) => {
      await generate(person);
      return { username: person.username, code: '' };
    },
  ],
  [
    'a code of only dashes',
    'code_unknown',
    async (person) => {
      await generate(person);
      return { username: person.username, code: ' - - ' };
    },
  ],
  [
    'a code of 10,000 characters',
    'code_unknown',
    async (person) => {
      await generate(person);
      return { username: person.username, code: '2'.repeat(10_000) };
    },
  ],
  [
    'a code of 10,000 characters, each of which normalizes to eighteen characters',
    'code_unknown',
    async (person) => ({ username: person.username, code: '\ufdfa'.repeat(10_000) }),
  ],
  [
    'another user’s code',
    'code_unknown',
    async ({ username }) => ({ username, code: await generate(await signUp(service)) }),
  ],
  [
    'a used code',
    'code_used',
    async (person) => {
      const attempt = { username: person.username, code: await generate(person) };
      await use(attempt.username, attempt.code);
      return attempt;
    },
  ],
  [
    'an expired code',
    'code_expired',
    async (person) => {
      const code = await generate(person);
      await expire(person);
      return { username: person.username, code };
    },
  ],
  [
    'a used code that has also expired',
    'code_used',
    async (person) => {
      const attempt = { username: person.username, code: await generate(person) };
      await use(attempt.username, attempt.code);
      await expire(person);
      return attempt;
    },
  ],
  [
    'a replaced code',
    'code_unknown',
    async (person) => {
      const code = await generate(person);
      await generate(person);
      return { username: person.username, code };
    },
  ],
  [
    'a revoked code',
    'code_unknown',
    async (person) => {
      const code = await generate(person);
      await revokeCodes(person.browser);
      return { username: person.username, code };
    },
  ],
  [
    'a used code of a disabled user',
    'code_used',
    async (person) => {
      const attempt = { username: person.username, code: await generate(person) };
      await use(attempt.username, attempt.code);
      await setStatus(service, person, 'disabled');
      return attempt;
    },
  ],
  [
    'an expired code of a disabled user',
    'code_expired',
    async (person) => {
      const code = await generate(person);
      await expire(person);
      await setStatus(service, person, 'disabled');
      return { username: person.username, code };
    },
  ],
  [
    'the code of another user for a disabled user',
    'code_unknown',
    async (person) => {
      const code = await generate(await signUp(service));
      await setStatus(service, person, 'disabled');
      return { username: person.username, code };
    },
  ],
  [
    'a wrong code for a disabled user',
    'code_unknown',
    async (person) => {
      await setStatus(service, person, 'disabled');
      return { username: person.username, code: unknownCode };
    },
  ],
];

/** Tries a code that must be rejected. Returns the response and the statements that ran. */
async function refused(prepare: (person: Person) => Promise<Attempt>) {
  const person = await signUp(service);
  const attempt = await prepare(person);
  const sessions = async () =>
    (await service.database.sql`select id from latchkey.sessions order by id`).map(({ id }) => id);
  const before = await sessions();
  service.statements.length = 0;
  const answer = await use(attempt.username, attempt.code);
  const statements = [...service.statements];
  expect(await sessions()).toEqual(before);
  return { person, attempt, answer, statements };
}

describe('rejecting a recovery code', () => {
  test('says that the account is disabled only if the code is usable, after the same two statements', async () => {
    const usual = await refused(async ({ username }) => ({ username, code: unknownCode }));
    const { answer, attempt, statements } = await refused(async (person) => {
      const code = await generate(person);
      await setStatus(service, person, 'disabled');
      return { username: person.username, code };
    });
    await expectDisabled(service, answer);
    expect(statements).toEqual(usual.statements);
    // The refusal does not use up the code.
    await expectDisabled(service, await use(attempt.username, attempt.code));
  });

  test.each(refusals)('returns the same response for %s', async (_, reason, prepare) => {
    const usual = await refused(async ({ username }) => ({ username, code: unknownCode }));
    const { person, attempt, answer, statements } = await refused(prepare);
    expect(await reasonOfRefusal(service, answer)).toBe(reason);
    expectUncached(answer);
    expect(shapeOf(answer)).toEqual(shapeOf(usual.answer));
    // With the same statements, the duration of a response does not show the reason.
    expect(statements).toEqual(usual.statements);
    expect(statements).toHaveLength(2);

    const rows = await wholeAuditRowsOf(service, answer);
    const known = attempt.username === person.username;
    expect(rows).toMatchObject([
      {
        event: 'recovery_code.use',
        outcome: 'failure',
        actor_type: 'anonymous',
        actor_id: null,
        actor_name: null,
        ...(known
          ? { target_type: 'user', target_id: userIdOf(person), target_name: person.username }
          : { target_type: null, target_id: null, target_name: null }),
        ip: '127.0.0.1',
        user_agent: 'node',
        details: { reason },
      },
    ]);
    expect(rows[0]?.details).toEqual({ reason });
    const text = JSON.stringify([rows, service.logged]);
    if (!known && attempt.username !== '') expect(text).not.toContain(attempt.username);
    if (attempt.code.trim().length > 5) expect(text).not.toContain(attempt.code);
  });

  test('does not end the caller’s session', async () => {
    const person = await signUp(service);
    const answer = await useCode(person.browser, person, unknownCode);
    expect(answer.status).toBe(401);
    expect((await currentSession(person.browser)).kind).toBe('full');
  });

  test('does not use up the code of a disabled user: the code works after the account is enabled', async () => {
    const person = await signUp(service);
    const code = await generate(person);
    await setStatus(service, person, 'disabled');
    expectProblem(await use(person.username, code), 'account_disabled');
    await setStatus(service, person, 'active');
    expect((await use(person.username, code)).status).toBe(200);
  });

  test('does not use up a code that is sent with another username', async () => {
    const [person, other] = [await signUp(service), await signUp(service)];
    const code = await generate(person);
    expect((await use(other.username, code)).status).toBe(401);
    expect((await use(person.username, code)).status).toBe(200);
  });
});
