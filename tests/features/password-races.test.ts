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

const enter = (person: Person, given?: string, at: Pick<ServiceOn, 'browser'> = service) =>
  logInByPassword(at.browser(), person, given);

/** The ways in that an account has. */
async function waysIn(person: Person) {
  const [row] = await service.database.sql`
    select password_hash is not null as password,
      (select count(*)::int from latchkey.passkeys where user_id = users.id) as passkeys
    from latchkey.users where id = ${userIdOf(person)}`;
  return row;
}

const happened = (person: Person, event: string, outcome?: string) =>
  countAuditRows(service, person, event, outcome);

/** The same person at two processes. */
const browsersOf = ({ browser }: Person) => [browser, second.browser(browser.cookies)] as const;

describe('fifty passwords set at once', () => {
  test('leave one that works, and a row in the audit log for each: one addition, then replacements', async () => {
    for (let round = 0; round < 2; round += 1) {
      const person = await signUp(service);
      const browsers = browsersOf(person);
      const passwords = times(50, '').map((_, n) => `towel ${n} of fifty`);
      const answers = await together(
        passwords.map((given, n) => () => addPassword(browsers[n % 2] as TestAgent, given)),
      );
      expect(sortedStatuses(answers)).toEqual([...times(49, 200), 201]);
      expect(await happened(person, 'password.add')).toBe(1);
      expect(await happened(person, 'password.replace')).toBe(49);
      const tried = await Promise.all(passwords.map((given) => enter(person, given)));
      expect(sortedStatuses(tried)).toEqual([200, ...times(49, 401)]);
    }
  });

  test('and removed at once leave either one that works or none, as the audit log says', async () => {
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
      expect(await happened(person, 'password.add')).toBe(count(201));
      expect(await happened(person, 'password.replace')).toBe(count(200));
      expect(await happened(person, 'password.remove')).toBe(count(204));
      const has = count(201) - count(204) === 1;
      expect(await waysIn(person)).toEqual({ password: has, passkeys: 1 });
      expect((await enter(person)).status).toBe(has ? 200 : 401);
    }
  });
});

describe('removals at once', () => {
  test('of the password and of the last passkey leave one way in, fifty times over', async () => {
    const person = await signUpWithPassword(service);
    const hash = await storedHash(service, person);
    const browsers = browsersOf(person);
    const kept = { password: 0, passkey: 0 };
    let passkeyId = person.signedUp.body.passkey.id;
    for (let round = 0; round < 50; round += 1) {
      const [one, other] = round % 4 < 2 ? browsers : browsers.toReversed();
      const requests = [
        () => removePassword(one as TestAgent),
        () => (other as TestAgent).delete(`/auth/passkey/devices/${passkeyId}`),
      ];
      const answers = await together(round % 2 ? requests : requests.toReversed());
      expect(sortedStatuses(answers)).toEqual([204, 409]);
      const left = await waysIn(person);
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
    expect(await happened(person, 'password.remove')).toBe(kept.passkey);
    expect(await happened(person, 'password.remove', 'failure')).toBe(kept.password);
    expect((await enter(person)).status).toBe(200);
  });

  test('of the password, ten of them, remove it once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const person = await signUpWithPassword(service);
      const browsers = browsersOf(person);
      const answers = await together(
        times(10, '').map((_, n) => () => removePassword(browsers[n % 2] as TestAgent)),
      );
      expect(sortedStatuses(answers)).toEqual([204, ...times(9, 404)]);
      expect(await happened(person, 'password.remove')).toBe(1);
    }
  });

  test('of the last passkey while a first password is set never end without a way in', async () => {
    for (let round = 0; round < 10; round += 1) {
      const person = await signUp(service);
      const [one, other] = browsersOf(person);
      const passkey = `/auth/passkey/devices/${person.signedUp.body.passkey.id}`;
      const [added, removed] = await together([() => addPassword(one), () => other.delete(passkey)]);
      expect(added?.status).toBe(201);
      expect([204, 409]).toContain(removed?.status);
      expect(await waysIn(person)).toEqual({ password: true, passkeys: removed?.status === 204 ? 0 : 1 });
      expect((await enter(person)).status).toBe(200);
    }
  });
});

describe('a password that changes between the reading of a login and its session', () => {
  const changes: [what: string, change: (person: Person) => Promise<unknown>][] = [
    ['is replaced', ({ browser }) => addPassword(browser, otherPassword)],
    ['is removed', ({ browser }) => removePassword(browser)],
    ['is one of an account that is disabled', (person) => setStatus(service, person, 'disabled')],
    [
      'is one of an account that is deleted',
      (person) => service.database.sql`delete from latchkey.users where id = ${userIdOf(person)}`,
    ],
  ];
  const costs = [
    ['', 4],
    [', and was to be hashed anew', 5],
  ] as const;
  const cases = changes.flatMap(([what, change]) =>
    costs.map(([and, cost]) => [`${what}${and}`, change, cost] as const),
  );

  test.each(cases)('%s, opens none', async (_, change, cost) => {
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
    expect(await reasonOfRefusal(service, answer)).toBe('overtaken');
    expect(
      await service.database.sql`
        select from latchkey.sessions where user_id = ${userIdOf(person)} and method = 'password'`,
    ).toHaveLength(0);
    // Nor is the presented session ended, or the old password brought back by a new digest.
    expect((await presented.get('/auth/session')).status).toBe(200);
    const after = await service.database.sql`
      select password_hash from latchkey.users where id = ${userIdOf(person)} and status = 'disabled'`;
    if (after.length > 0) expect(after).toEqual([{ password_hash: before }]);
    expect((await enter(person)).status).toBe(401);
  });

  test('works or does not as it was before or after, where both are sent at once', async () => {
    for (let round = 0; round < 10; round += 1) {
      const person = await signUpWithPassword(service);
      const answers = await together([
        ...times(5, () => enter(person)),
        () => removePassword(person.browser),
        ...times(5, () => enter(person, password, second)),
      ]);
      expect(answers[5]?.status).toBe(204);
      const entered = answers.filter(({ status }) => status === 200).length;
      expect(answers.filter(({ status }) => status === 401)).toHaveLength(10 - entered);
      expect(await happened(person, 'password.login')).toBe(entered);
      expect(await happened(person, 'password.login', 'failure')).toBe(10 - entered);
      expect((await enter(person)).status).toBe(401);
    }
  });
});
