import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Answer, TestAgent } from '../support/agent.ts';
import { type Person, signUp } from '../support/person.ts';
import { startSecondInstance } from '../support/second-instance.ts';
import type { ServiceOn } from '../support/service-on.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { reasonOfRefusal } from './support/refused-sign-in.ts';

const password = 'a wet towel in Oslo';

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
afterEach(() =>
  expect([...service.logged, ...second.logged].filter(({ level }) => level === 'error')).toEqual([]),
);

const add = (browser: TestAgent, given = password) => browser.post('/auth/password/add', { password: given });
const remove = (browser: TestAgent) => browser.delete('/auth/password/remove');
const enter = ({ username }: Person, given = password, at: Pick<ServiceOn, 'browser'> = service) =>
  at.browser().post('/auth/password/login', { username, password: given });
const idOf = ({ signedUp }: Person): string => signedUp.body.user.id;

async function personWithPassword(): Promise<Person> {
  const person = await signUp(service);
  await add(person.browser);
  return person;
}

/** The ways in that an account has. */
async function waysIn(person: Person) {
  const [row] = await service.database.sql`
    select password_hash is not null as password,
      (select count(*)::int from latchkey.passkeys where user_id = users.id) as passkeys
    from latchkey.users where id = ${idOf(person)}`;
  return row;
}

/** How often the audit log says that something was done to, or kept from, an account. */
async function happened(person: Person, event: string, outcome = 'success'): Promise<number> {
  const rows = await service.database.sql`
    select from latchkey.audit_events
    where event = ${event} and outcome = ${outcome} and target_id = ${idOf(person)}`;
  return rows.length;
}

const statuses = (answers: Answer[]) => answers.map(({ status }) => status).sort();
const times = <T>(count: number, value: T): T[] => Array<T>(count).fill(value);
const together = (requests: (() => Promise<Answer>)[]) => Promise.all(requests.map((request) => request()));

/** The same person at two processes. */
const browsersOf = ({ browser }: Person) => [browser, second.browser(browser.cookies)] as const;

describe('fifty passwords set at once', () => {
  test('leave one that works, and a row in the audit log for each: one addition, then replacements', async () => {
    for (let round = 0; round < 2; round += 1) {
      const person = await signUp(service);
      const browsers = browsersOf(person);
      const passwords = times(50, '').map((_, n) => `towel ${n} of fifty`);
      const answers = await together(
        passwords.map((given, n) => () => add(browsers[n % 2] as TestAgent, given)),
      );
      expect(statuses(answers)).toEqual([...times(49, 200), 201]);
      expect(await happened(person, 'password.add')).toBe(1);
      expect(await happened(person, 'password.replace')).toBe(49);
      const tried = await Promise.all(passwords.map((given) => enter(person, given)));
      expect(statuses(tried)).toEqual([200, ...times(49, 401)]);
    }
  });

  test('and removed at once leave either one that works or none, as the audit log says', async () => {
    for (let round = 0; round < 5; round += 1) {
      const person = await signUp(service);
      const browsers = browsersOf(person);
      const answers = await together(
        times(20, '').map((_, n) => {
          const browser = browsers[n % 2] as TestAgent;
          return () => (n % 4 < 2 ? add(browser) : remove(browser));
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
    const person = await personWithPassword();
    const [{ password_hash } = {}] = await service.database.sql`
      select password_hash from latchkey.users where id = ${idOf(person)}`;
    const browsers = browsersOf(person);
    const kept = { password: 0, passkey: 0 };
    let passkeyId = person.signedUp.body.passkey.id;
    for (let round = 0; round < 50; round += 1) {
      const [one, other] = round % 4 < 2 ? browsers : browsers.toReversed();
      const requests = [
        () => remove(one as TestAgent),
        () => (other as TestAgent).delete(`/auth/passkey/devices/${passkeyId}`),
      ];
      const answers = await together(round % 2 ? requests : requests.toReversed());
      expect(statuses(answers)).toEqual([204, 409]);
      const left = await waysIn(person);
      if (left?.password) {
        expect(left).toEqual({ password: true, passkeys: 0 });
        kept.password += 1;
        passkeyId = randomUUID();
        await service.database.sql`
          insert into latchkey.passkeys
            (id, user_id, credential_id, public_key, counter, transports, aaguid, backup_eligible, backed_up,
             label, created_at)
          values (${passkeyId}, ${idOf(person)}, ${passkeyId}, 'none', 0, '{}', ${randomUUID()}, true, true,
            'spare', latchkey.clock())`;
      } else {
        expect(left).toEqual({ password: false, passkeys: 1 });
        kept.passkey += 1;
        await service.database.sql`
          update latchkey.users set password_hash = ${password_hash} where id = ${idOf(person)}`;
      }
    }
    expect(await happened(person, 'password.remove')).toBe(kept.passkey);
    expect(await happened(person, 'password.remove', 'failure')).toBe(kept.password);
    expect((await enter(person)).status).toBe(200);
  });

  test('of the password, ten of them, remove it once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const person = await personWithPassword();
      const browsers = browsersOf(person);
      const answers = await together(times(10, '').map((_, n) => () => remove(browsers[n % 2] as TestAgent)));
      expect(statuses(answers)).toEqual([204, ...times(9, 404)]);
      expect(await happened(person, 'password.remove')).toBe(1);
    }
  });

  test('of the last passkey while a first password is set never end without a way in', async () => {
    for (let round = 0; round < 10; round += 1) {
      const person = await signUp(service);
      const [one, other] = browsersOf(person);
      const passkey = `/auth/passkey/devices/${person.signedUp.body.passkey.id}`;
      const [added, removed] = await together([() => add(one), () => other.delete(passkey)]);
      expect(added?.status).toBe(201);
      expect([204, 409]).toContain(removed?.status);
      expect(await waysIn(person)).toEqual({ password: true, passkeys: removed?.status === 204 ? 0 : 1 });
      expect((await enter(person)).status).toBe(200);
    }
  });
});

describe('a password that changes between the reading of a login and its session', () => {
  const changes: [what: string, change: (person: Person) => Promise<unknown>][] = [
    ['is replaced', ({ browser }) => add(browser, 'nine lamps, one dark')],
    ['is removed', ({ browser }) => remove(browser)],
    [
      'is one of an account that is disabled',
      (person) =>
        service.database.sql`update latchkey.users set status = 'disabled' where id = ${idOf(person)}`,
    ],
    [
      'is one of an account that is deleted',
      (person) => service.database.sql`delete from latchkey.users where id = ${idOf(person)}`,
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
    const person = await personWithPassword();
    const presented = (await signUp(service)).browser;
    let changed = 0;
    const instance = await startSecondInstance(service, { bcryptCost: cost }, async (text) => {
      if (!/insert into latchkey\.sessions/.test(text)) return;
      changed += 1;
      await change(person);
    });
    const before = await service.database.sql`
      select password_hash from latchkey.users where id = ${idOf(person)}`;
    const browser = instance.browser(presented.cookies);
    const { username } = person;
    const answer = await browser.post('/auth/password/login', { username, password });
    await instance.close();
    expect(changed).toBe(1);
    expect(await reasonOfRefusal(service, answer)).toBe('overtaken');
    expect(
      await service.database.sql`
        select from latchkey.sessions where user_id = ${idOf(person)} and method = 'password'`,
    ).toHaveLength(0);
    // Nor is the presented session ended, or the old password brought back by a new digest.
    expect((await presented.get('/auth/session')).status).toBe(200);
    const after = await service.database.sql`
      select password_hash from latchkey.users where id = ${idOf(person)} and status = 'disabled'`;
    if (after.length > 0) expect(after).toEqual(before);
    expect((await enter(person)).status).toBe(401);
  });

  test('works or does not as it was before or after, where both are sent at once', async () => {
    for (let round = 0; round < 10; round += 1) {
      const person = await personWithPassword();
      const answers = await together([
        ...times(5, () => enter(person)),
        () => remove(person.browser),
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
