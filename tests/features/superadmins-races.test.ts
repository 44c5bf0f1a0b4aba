import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Answer, TestAgent } from '../support/agent.ts';
import { expectNoLoggedErrors } from '../support/logged-errors.ts';
import { together } from '../support/many-requests.ts';
import { type Person, signUp } from '../support/person.ts';
import { meet, startSecondInstance } from '../support/second-instance.ts';
import type { ServiceOn } from '../support/service-on.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { setRole, setStatus } from './support/accounts.ts';
import { auditRowsOf } from './support/audit-log.ts';
import {
  activeSuperadmins,
  changeRole,
  deleteAccount,
  deleteUser,
  disable,
  enable,
  leaveSuperadmins,
  signUpAs,
} from './support/authority.ts';

let service: TestService;
let second: ServiceOn;
beforeAll(async () => {
  service = await startTestService();
  second = await startSecondInstance(service);
});
afterAll(async () => {
  await second.close();
  await service.close();
});
afterEach(() => expectNoLoggedErrors(service, second));

/** Signs up `count` superadmins and demotes all others. */
async function onlySuperadmins(count: number): Promise<Person[]> {
  const superadmins: Person[] = [];
  while (superadmins.length < count) superadmins.push(await signUpAs(service, 'superadmin'));
  await leaveSuperadmins(service, superadmins);
  return superadmins;
}

/** An action of the superadmin `self`. */
type Act = (browser: TestAgent, self: Person, other: Person) => Promise<Answer>;
const acts: Record<string, Act> = {
  'demotes the other': (browser, _, other) => changeRole(browser, other, 'user'),
  'demotes themselves': (browser, self) => changeRole(browser, self, 'admin'),
  'disables the other': (browser, _, other) => disable(browser, other),
  'disables themselves': (browser, self) => disable(browser, self),
  'deletes the other': (browser, _, other) => deleteUser(browser, other),
  'deletes their account through /auth/admin/users': (browser, self) => deleteUser(browser, self),
  'deletes their account through /auth/account': (browser) => deleteAccount(browser),
};
const names = Object.keys(acts);
const pairs = names.flatMap((one, n) => names.slice(n).map((other) => [one, other] as const));

const instances = [
  ['one process', () => service],
  ['two processes', () => second],
] as const;

/** Expects that one superadmin remains and that exactly one of the actions failed. */
async function expectOneLeft(answers: Answer[]): Promise<void> {
  expect(await activeSuperadmins(service)).toHaveLength(1);
  expect(answers.filter(({ status }) => status < 300)).toHaveLength(answers.length - 1);
  for (const answer of answers) {
    const rows = await auditRowsOf(service, answer);
    if (answer.status < 300) expect(rows).toMatchObject([{ outcome: 'success' }]);
    // The other action ended the session of this request, before the request was accepted or while it ran.
    else if (answer.status === 401) {
      expect(rows.map(({ outcome, details }) => [outcome, details.reason])).toEqual(
        rows.length === 0 ? [] : [['failure', 'session_ended']],
      );
    } else {
      expect([403, 409]).toContain(answer.status);
      expect(answer.body.code).toBe(answer.status === 403 ? 'forbidden' : 'last_superadmin');
      expect(rows).toMatchObject([{ outcome: 'failure' }]);
    }
  }
}

test('when two superadmins demote each other at the same time, one stays superadmin (50 rounds)', async () => {
  const superadmins = (await onlySuperadmins(2)) as [Person, Person];
  const [one, other] = superadmins;
  for (let round = 0; round < 50; round += 1) {
    await Promise.all(superadmins.map((person) => setRole(service, person, 'superadmin')));
    const there = instances[round % 2]?.[1]() ?? service;
    const browsers = [one.browser.copy(), there.browser(other.browser.cookies)] as const;
    const acting = [() => changeRole(browsers[0], other, 'user'), () => changeRole(browsers[1], one, 'user')];
    await expectOneLeft(await together(round % 3 ? acting : acting.reverse()));
  }
});

describe.each(instances)('for concurrent requests of two superadmins to %s,', (_, there) => {
  test.each(pairs)(
    'one superadmin stays active when the first one %s and the second one %s',
    async (first, then) => {
      for (let round = 0; round < 3; round += 1) {
        const [one, other] = (await onlySuperadmins(2)) as [Person, Person];
        const here = one.browser;
        const elsewhere = there().browser(other.browser.cookies);
        const acting = [
          () => (acts[first] as Act)(here, one, other),
          () => (acts[then] as Act)(elsewhere, other, one),
        ];
        const answers = await together(round % 2 ? acting : acting.reverse());
        expect(await activeSuperadmins(service)).toHaveLength(1);
        const done = answers.filter(({ status }) => status < 300).length;
        const sameTarget = isOfSelf(first) !== isOfSelf(then);
        // Both actions change the same user. The second one can succeed without effect, or find no user.
        if (sameTarget) expect([1, 2]).toContain(done);
        else await expectOneLeft(answers);
        for (const { status } of answers) expect([200, 204, 401, 403, 404, 409]).toContain(status);
      }
    },
  );
});

const isOfSelf = (name: string) => !name.includes('the other');

test('when five superadmins concurrently demote, disable and delete each other and themselves, at least one stays active', async () => {
  for (let round = 0; round < 5; round += 1) {
    const superadmins = await onlySuperadmins(5);
    const acting = superadmins.flatMap((self, n) => {
      const next = superadmins[(n + 1) % 5] as Person;
      const browsers = [self.browser.copy(), second.browser(self.browser.cookies)] as const;
      return [0, 3].map((step, at) => {
        const act = acts[`${names[(n + round + step) % names.length]}`] as Act;
        return () => act(browsers[at] as TestAgent, self, next);
      });
    });
    const answers = await together(acting);
    expect((await activeSuperadmins(service)).length).toBeGreaterThanOrEqual(1);
    for (const { status } of answers) expect([200, 204, 401, 403, 404, 409]).toContain(status);
  }
});

describe('after the service has read both superadmins, one of them', () => {
  const ownActs = Object.entries(acts).filter(([name]) => isOfSelf(name));
  const losses: [name: string, lose: (other: Person) => Promise<unknown>][] = [
    ['is demoted', ({ username }) => service.auth.asOperator('ops').users.changeRole(username, 'user')],
    ['is disabled', ({ username }) => service.auth.asOperator('ops').users.disable(username)],
    ['is deleted', ({ username }) => service.auth.asOperator('ops').users.delete(username)],
  ];
  const cases = ownActs.flatMap(([name, go]) =>
    losses.map(([lost, lose]) => [lost, name, { go, lose }] as const),
  );

  test.each(cases)(
    '%s: the other one, who %s, gets the error code last_superadmin',
    async (_, __, { go, lose }) => {
      const [self, other] = (await onlySuperadmins(2)) as [Person, Person];
      let lost = 0;
      const { answer } = await meet(service, {
        before: /update latchkey\.superadmin_roster/,
        change: async () => {
          if (lost === 0) await lose(other);
          lost += 1;
          return { count: 1 };
        },
        act: (instance) => go(instance.browser(self.browser.cookies), self, other),
      });
      expect(lost).toBe(1);
      expect([answer.status, answer.body.code]).toEqual([409, 'last_superadmin']);
      expect(await activeSuperadmins(service)).toEqual([self.username]);
    },
  );
});

test('one superadmin stays active if another user is promoted or enabled while the last superadmin deletes their account', async () => {
  for (let round = 0; round < 10; round += 1) {
    const [last] = (await onlySuperadmins(1)) as [Person];
    const candidate = await signUp(service);
    if (round % 2) {
      await setRole(service, candidate, 'superadmin');
      await setStatus(service, candidate, 'disabled');
    }
    const promote = () =>
      round % 2
        ? enable(last.browser.copy(), candidate)
        : changeRole(last.browser.copy(), candidate, 'superadmin');
    const [promoted, deleted] = await together([
      promote,
      () => deleteAccount(second.browser(last.browser.cookies)),
    ]);
    const active = await activeSuperadmins(service);
    expect(active.length).toBeGreaterThanOrEqual(1);
    expect([200, 401, 403]).toContain(promoted?.status);
    expect([204, 409]).toContain(deleted?.status);
    expect(active.includes(last.username)).toBe(deleted?.status === 409);
  }
});
