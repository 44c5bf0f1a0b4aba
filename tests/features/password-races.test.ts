import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { TestAgent } from '../support/agent.ts';
import { expectNoLoggedErrors } from '../support/logged-errors.ts';
import { sortedStatuses, times, together } from '../support/many-requests.ts';
import { type Person, signUp, userIdOf } from '../support/person.ts';
import { meet, startSecondInstance } from '../support/second-instance.ts';
import type { ServiceOn } from '../support/service-on.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { setStatus } from './support/accounts.ts';
import { countAuditRows } from './support/audit-log.ts';
import {
  addPassword,
  logInByPassword,
  otherPassword,
  password,
  removePassword,
  signUpWithPassword,
  storedHash,
} from './support/passwords.ts';
import { reasonOfRefusal } from './support/refused-sign-in.ts';

let service: TestService;
let second: ServiceOn;
beforeAll(async () => {
  service = await startTestService({ bcryptCost: 4 });
  second = await startSecondInstance(service, { bcryptCost: 4 });
});
afterAll(async () => {
  await second.close();
  await service.close();
});
afterEach(() => expectNoLoggedErrors(service, second));

const signIn = (person: Person, given?: string, at: Pick<ServiceOn, 'browser'> = service) =>
  logInByPassword(at.browser(), person, given);

async function credentialsOf(person: Person) {
  const [row] = await service.database.sql`
    select password_hash is not null as password,
      (select count(*)::int from latchkey.passkeys where user_id = users.id) as passkeys
    from latchkey.users where id = ${userIdOf(person)}`;
  return row;
}

const countRows = (person: Person, event: string, outcome?: string) =>
  countAuditRows(service, person, event, outcome);

/** Two browsers with the user's cookies, one for each process. */
const browsersOf = ({ browser }: Person) => [browser, second.browser(browser.cookies)] as const;

describe('concurrent requests', () => {
  test('that set fifty passwords leave one valid password, and record one addition and 49 replacements', async () => {
    for (let round = 0; round < 2; round += 1) {
      const person = await signUp(service);
      const browsers = browsersOf(person);
      const passwords = times(50, '').map((_, n) => `towel ${n} of fifty`);
      const answers = await together(
        passwords.map((given, n) => () => addPassword(browsers[n % 2] as TestAgent, given)),
      );
      expect(sortedStatuses(answers)).toEqual([...times(49, 200), 201]);
      expect(await countRows(person, 'password.add')).toBe(1);
      expect(await countRows(person, 'password.replace')).toBe(49);
      const tried = await Promise.all(passwords.map((given) => signIn(person, given)));
      expect(sortedStatuses(tried)).toEqual([200, ...times(49, 401)]);
    }
  });

  test('that set and remove passwords leave at most one password, and the audit log records every change', async () => {
    for (let round = 0; round < 5; round += 1) {
      const person = await signUp(service);
      const browsers = browsersOf(person);
      const answers = await together(
        times(20, '').map((_, n) => {
          const browser = browsers[n % 2] as TestAgent;
          return () => (n % 4 < 2 ? addPassword(browser) : removePassword(browser));
        }),
      );
      const count = (status: number) => answers.filter((answer) => answer.status === status).length;
      expect(count(201) + count(200)).toBe(10);
      expect(count(204) + count(404)).toBe(10);
      expect(await countRows(person, 'password.add')).toBe(count(201));
      expect(await countRows(person, 'password.replace')).toBe(count(200));
      expect(await countRows(person, 'password.remove')).toBe(count(204));
      const has = count(201) - count(204) === 1;
      expect(await credentialsOf(person)).toEqual({ password: has, passkeys: 1 });
      expect((await signIn(person)).status).toBe(has ? 200 : 401);
    }
  });
});

describe('concurrent removals', () => {
  test('of the password and of the last passkey leave one of the two (20 runs)', async () => {
    const person = await signUpWithPassword(service);
    const hash = await storedHash(service, person);
    const browsers = browsersOf(person);
    const kept = { password: 0, passkey: 0 };
    let passkeyId = person.signedUp.body.passkey.id;
    for (let round = 0; round < 20; round += 1) {
      const [one, other] = round % 4 < 2 ? browsers : browsers.toReversed();
      const requests = [
        () => removePassword(one as TestAgent),
        () => (other as TestAgent).delete(`/auth/passkey/devices/${passkeyId}`),
      ];
      const answers = await together(round % 2 ? requests : requests.toReversed());
      expect(sortedStatuses(answers)).toEqual([204, 409]);
      const left = await credentialsOf(person);
      if (left?.password) {
        expect(left).toEqual({ password: true, passkeys: 0 });
        kept.password += 1;
        passkeyId = randomUUID();
        await service.database.sql`
          insert into latchkey.passkeys
            (id, user_id, credential_id, public_key, counter, transports, aaguid, backup_eligible, backed_up,
             label, created_at)
          values (${passkeyId}, ${userIdOf(person)}, ${passkeyId}, 'none', 0, '{}', ${randomUUID()}, true, true,
            'spare', latchkey.clock())`;
      } else {
        expect(left).toEqual({ password: false, passkeys: 1 });
        kept.passkey += 1;
        await service.database.sql`
          update latchkey.users set password_hash = ${hash} where id = ${userIdOf(person)}`;
      }
    }
    expect(await countRows(person, 'password.remove')).toBe(kept.passkey);
    expect(await countRows(person, 'password.remove', 'failure')).toBe(kept.password);
    expect((await signIn(person)).status).toBe(200);
  });

  test('of the password (ten requests) succeed only once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const person = await signUpWithPassword(service);
      const browsers = browsersOf(person);
      const answers = await together(
        times(10, '').map((_, n) => () => removePassword(browsers[n % 2] as TestAgent)),
      );
      expect(sortedStatuses(answers)).toEqual([204, ...times(9, 404)]);
      expect(await countRows(person, 'password.remove')).toBe(1);
    }
  });

  test('of the last passkey never affect a first password that is set at the same time', async () => {
    for (let round = 0; round < 10; round += 1) {
      const person = await signUp(service);
      const [one, other] = browsersOf(person);
      const passkey = `/auth/passkey/devices/${person.signedUp.body.passkey.id}`;
      const [added, removed] = await together([() => addPassword(one), () => other.delete(passkey)]);
      expect(added?.status).toBe(201);
      expect([204, 409]).toContain(removed?.status);
      expect(await credentialsOf(person)).toEqual({
        password: true,
        passkeys: removed?.status === 204 ? 0 : 1,
      });
      expect((await signIn(person)).status).toBe(200);
    }
  });
});

describe('a sign-in', () => {
  const changes: [what: string, change: (person: Person) => Promise<unknown>][] = [
    ['the password is replaced', ({ browser }) => addPassword(browser, otherPassword)],
    ['the password is removed', ({ browser }) => removePassword(browser)],
    ['the account is disabled', (person) => setStatus(service, person, 'disabled')],
    [
      'the account is deleted',
      (person) => service.database.sql`delete from latchkey.users where id = ${userIdOf(person)}`,
    ],
  ];
  const costs = [
    ['', 4],
    [' (the sign-in hashes the password again)', 5],
  ] as const;
  const cases = changes.flatMap(([what, change]) =>
    costs.map(([and, cost]) => [`${what}${and}`, change, cost] as const),
  );

  test.each(cases)(
    'opens no session if the sign-in has already read the account when %s',
    async (_, change, cost) => {
      const person = await signUpWithPassword(service);
      const presented = (await signUp(service)).browser;
      const before = await storedHash(service, person);
      const { answer, changed } = await meet(service, {
        before: /insert into latchkey\.sessions/,
        change: async () => {
          await change(person);
          return { count: 1 };
        },
        act: (instance) => logInByPassword(instance.browser(presented.cookies), person),
        options: { bcryptCost: cost },
      });
      expect(changed).toBe(1);
      expect(await reasonOfRefusal(service, answer)).toBe('concurrent_change');
      expect(
        await service.database.sql`
        select from latchkey.sessions where user_id = ${userIdOf(person)} and method = 'password'`,
      ).toHaveLength(0);
      // The session of the request does not end. The sign-in does not store a new digest of the old password.
      expect((await presented.get('/auth/session')).status).toBe(200);
      const after = await service.database.sql`
      select password_hash from latchkey.users where id = ${userIdOf(person)} and status = 'disabled'`;
      if (after.length > 0) expect(after).toEqual([{ password_hash: before }]);
      expect([401, 409]).toContain((await signIn(person)).status);
    },
  );

  test('that runs concurrently with the removal of the password succeeds or fails, and the audit log records the result', async () => {
    for (let round = 0; round < 10; round += 1) {
      const person = await signUpWithPassword(service);
      const answers = await together([
        ...times(5, () => signIn(person)),
        () => removePassword(person.browser),
        ...times(5, () => signIn(person, password, second)),
      ]);
      expect(answers[5]?.status).toBe(204);
      const entered = answers.filter(({ status }) => status === 200).length;
      expect(answers.filter(({ status }) => status === 401)).toHaveLength(10 - entered);
      expect(await countRows(person, 'password.login')).toBe(entered);
      expect(await countRows(person, 'password.login', 'failure')).toBe(10 - entered);
      expect((await signIn(person)).status).toBe(401);
    }
  });
});
