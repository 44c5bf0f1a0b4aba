import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer, TestAgent } from '../support/agent.ts';
import { sortedStatuses, times, together } from '../support/many-requests.ts';
import { type Person, signUp, userIdOf } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { meet, startSecondInstance } from '../support/second-instance.ts';
import type { ServiceOn } from '../support/service-on.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { found, leaveOrganization, signUpAs } from './support/authority.ts';
import { changeMember, countActiveAdmins, removeMember, setMembership } from './support/organizations.ts';

let service: TestService;
/** Another instance on the same database. */
let secondInstance: ServiceOn;
let superadmin: Person;
let organization: { id: string };
let people: [Person, Person, Person];
beforeAll(async () => {
  service = await startTestService();
  secondInstance = await startSecondInstance(service);
  superadmin = await signUpAs(service, 'superadmin');
  const founder = await signUpAs(service, 'admin');
  organization = await found(founder.browser);
  people = [founder, await signUp(service), await signUp(service)];
});
afterAll(async () => {
  await secondInstance.close();
  await service.close();
});

const makeAdmins = async (admins: readonly Person[]) => {
  const { sql } = service.database;
  await sql`delete from latchkey.memberships where organization_id = ${organization.id}`;
  await sql`
    insert into latchkey.memberships (organization_id, user_id, role, joined_at)
    select ${organization.id}, unnest(${admins.map(userIdOf)}::uuid[]), 'admin', latchkey.clock()`;
};
const admins = () => countActiveAdmins(service, organization);

/** A request by one of two organization admins. If it succeeds, one of the two is no longer an organization admin. */
type Way = (from: TestAgent, own: Person, other: Person) => Promise<Answer>;
const ways = {
  'demote the other admin': (from, _, other) => changeMember(from, organization, other, 'user'),
  'remove the other admin': (from, _, other) => removeMember(from, organization, other),
  'give up the role': (from, own) => changeMember(from, organization, own, 'user'),
  leave: (from, own) => removeMember(from, organization, own),
} as const satisfies Record<string, Way>;
const names = Object.keys(ways) as (keyof typeof ways)[];
const pairs = names.flatMap((one, n) => names.slice(n).map((other) => [one, other] as const));

describe('when two organization admins', () => {
  test.each(pairs)(
    'concurrently request “%s” and “%s” in one or two processes, one of them stays admin (20 rounds)',
    async (one, other) => {
      const [first, second] = people;
      for (let round = 0; round < 20; round += 1) {
        await makeAdmins([first, second]);
        const from = round % 4 < 2 ? second.browser : secondInstance.browser(second.browser.cookies);
        const acts = [() => ways[one](first.browser, first, second), () => ways[other](from, second, first)];
        const answers = await together(round % 2 ? acts.reverse() : acts);
        expect(await admins()).toBe(1);
        // The later caller is no longer an admin, or the target is no longer a member, or only one admin is left.
        const rejected = answers.filter(({ status }) => status >= 300);
        expect(rejected.length).toBeLessThan(2);
        for (const { body } of rejected) {
          expect(['forbidden', 'not_found', 'last_organization_admin']).toContain(body.code);
        }
      }
    },
  );
});

test('when three organization admins leave concurrently, one stays (20 rounds)', async () => {
  for (let round = 0; round < 20; round += 1) {
    await makeAdmins(people);
    const answers = await together(
      people.map((person) => () => leaveOrganization(person.browser, organization)),
    );
    expect([sortedStatuses(answers), await admins()]).toEqual([[204, 204, 409], 1]);
  }
});

test('when two superadmins concurrently remove both organization admins, one stays (20 rounds)', async () => {
  const [first, second] = people;
  const from = [
    superadmin.browser,
    secondInstance.browser((await signUpAs(service, 'superadmin')).browser.cookies),
  ];
  for (let round = 0; round < 20; round += 1) {
    await makeAdmins([first, second]);
    const answers = await together(
      [first, second].map((person, n) => () => removeMember(from[n] as TestAgent, organization, person)),
    );
    expect([sortedStatuses(answers), await admins()]).toEqual([[204, 409], 1]);
  }
});

test('twenty identical concurrent promotions or removals change the membership once', async () => {
  const [first, second] = people;
  for (const [what, expected, send] of [
    ['member.change_role', times(20, 200), () => changeMember(first.browser, organization, second, 'admin')],
    ['member.remove', [204, ...times(19, 404)], () => removeMember(first.browser, organization, second)],
  ] as const) {
    await makeAdmins([first]);
    await setMembership(service, organization, second, 'user');
    const { sql } = service.database;
    const count = async () =>
      (
        await sql`
        select from latchkey.audit_events where event = ${what} and outcome = 'success'`
      ).length;
    const before = await count();
    expect(sortedStatuses(await together(times(20, send)))).toEqual(expected);
    expect((await count()) - before).toBe(1);
  }
});

describe('a request of an organization admin to', () => {
  test.each<[what: string, act: (from: TestAgent) => Promise<Answer>, before: RegExp]>([
    [
      'give up the role',
      (from) => changeMember(from, organization, people[0], 'user'),
      /update latchkey\.memberships/,
    ],
    ['leave', (from) => removeMember(from, organization, people[0]), /delete from latchkey\.memberships/],
  ])(
    '%s is rejected if the only other organization admin leaves before the statement runs',
    async (_, act, before) => {
      const [first, second] = people;
      await makeAdmins([first, second]);
      let left = 0;
      const { answer } = await meet(service, {
        before,
        change: async () => {
          if (left === 0) left = (await leaveOrganization(second.browser, organization)).status;
          return { count: 1 };
        },
        act: (instance) => act(instance.browser(first.browser.cookies)),
      });
      expect(left).toBe(204);
      expectProblem(answer, 'last_organization_admin');
      expect(await admins()).toBe(1);
    },
  );
});
