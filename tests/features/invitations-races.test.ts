import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Answer, TestAgent } from '../support/agent.ts';
import { sortedStatuses, times, together } from '../support/many-requests.ts';
import { logIn, type Person, signUp, userIdOf } from '../support/person.ts';
import { startSecondInstance } from '../support/second-instance.ts';
import type { ServiceOn } from '../support/service-on.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { accept, signUpAs } from './support/authority.ts';
import { isSignedIn } from './support/current-session.ts';
import { auditRowsOfInvitation, inviteWhole, roleOf } from './support/invitations.ts';

let service: TestService;
/** Another instance on the same database. */
let secondInstance: ServiceOn;
let superadmin: Person;
beforeAll(async () => {
  service = await startTestService();
  secondInstance = await startSecondInstance(service);
  superadmin = await signUpAs(service, 'superadmin');
});
afterAll(async () => {
  await secondInstance.close();
  await service.close();
});

/** Reads the state of an invitation. Counts the successful and the rejected acceptances in the audit log. */
async function fateOf(invitation: { id: string }) {
  const [row] = await service.database.sql`
    select accepted_by, revoked_at is not null as revoked from latchkey.invitations where id = ${invitation.id}`;
  const rows = await auditRowsOfInvitation(service, invitation);
  const count = (event: string, outcome: string) =>
    rows.filter((entry) => entry.event === event && entry.outcome === outcome).length;
  return {
    acceptedBy: row?.accepted_by,
    revoked: row?.revoked,
    acceptances: count('invitation.accept', 'success'),
    refusals: count('invitation.accept', 'failure'),
  };
}

const backToUser = (people: Person[]) =>
  service.database.sql`
    update latchkey.users set role = 'user', version = version + 1
    where id = any(${people.map(userIdOf)}::uuid[])`;

const winnerOf = (answers: Answer[]) => answers.findIndex(({ status }) => status === 200);

test.each<[where: string, places: () => Pick<ServiceOn, 'browser' | 'url'>[]]>([
  ['one process', () => [service]],
  ['two processes', () => [service, secondInstance]],
])(
  'when twenty users accept one invitation concurrently in %s, one becomes an admin (8 rounds)',
  async (_, places) => {
    const at = places();
    const people = await Promise.all(
      Array.from({ length: 20 }, (_, n) => signUp(at[n % at.length] as ServiceOn)),
    );
    for (let round = 0; round < 8; round += 1) {
      const { invitation, token } = await inviteWhole(superadmin.browser);
      const answers = await together(
        people.map(
          ({ browser }) =>
            () =>
              accept(browser, token),
        ),
      );
      expect(sortedStatuses(answers)).toEqual([200, ...times(19, 410)]);
      const winner = people[winnerOf(answers)] as Person;
      const admins = await service.database.sql`
      select id from latchkey.users where role = 'admin' and id = any(${people.map(userIdOf)}::uuid[])`;
      expect(admins).toEqual([{ id: userIdOf(winner) }]);
      expect(await fateOf(invitation)).toEqual({
        acceptedBy: userIdOf(winner),
        revoked: false,
        acceptances: 1,
        refusals: 19,
      });
      await backToUser(people);
    }
    for (const { browser } of people) expect(await isSignedIn(browser)).toBe(true);
  },
);

test.each<[where: string, places: () => Pick<ServiceOn, 'browser'>[]]>([
  ['one process', () => [service]],
  ['two processes', () => [service, secondInstance]],
])(
  'a user who accepts one invitation with 20 concurrent requests in %s succeeds once (8 rounds)',
  async (_, places) => {
    const at = places();
    const person = await signUp(service);
    let { cookies } = person.browser;
    for (let round = 0; round < 8; round += 1) {
      const { invitation, token } = await inviteWhole(superadmin.browser);
      const browsers = Array.from({ length: 20 }, (_, n) => {
        const browser = (at[n % at.length] as ServiceOn).browser();
        for (const cookie of cookies) browser.cookies.set(...cookie);
        return browser;
      });
      const old = browsers[0]?.copy() as TestAgent;
      const answers = await together(browsers.map((browser) => () => accept(browser, token)));
      // Later requests find that the session token was replaced, or that the invitation was accepted.
      const [first, ...others] = sortedStatuses(answers);
      expect(first).toBe(200);
      for (const status of others) expect([401, 410]).toContain(status);
      const winner = browsers[winnerOf(answers)] as TestAgent;
      expect([await roleOf(winner), await isSignedIn(old)]).toEqual(['admin', false]);
      expect(answers.filter(({ headers }) => headers.getSetCookie().length > 0)).toHaveLength(1);
      expect(await fateOf(invitation)).toMatchObject({ acceptedBy: userIdOf(person), acceptances: 1 });
      await backToUser([person]);
      cookies = winner.cookies;
    }
  },
);

test('a user who accepts two invitations concurrently succeeds with only one of them (8 rounds)', async () => {
  const person = await signUp(service);
  const browsers = [person.browser, secondInstance.browser()] as const;
  await logIn(browsers[1], person.authenticator);
  for (let round = 0; round < 8; round += 1) {
    const made = [await inviteWhole(superadmin.browser), await inviteWhole(superadmin.browser)] as const;
    const answers = await together(
      made.map(
        ({ token }, n) =>
          () =>
            accept(browsers[(n + round) % 2] as TestAgent, token),
      ),
    );
    expect(sortedStatuses(answers)).toEqual([200, 409]);
    const won = winnerOf(answers);
    expect(await fateOf((made[won] ?? made[0]).invitation)).toMatchObject({ acceptances: 1, refusals: 0 });
    const left = await fateOf((made[1 - won] ?? made[0]).invitation);
    expect(left).toEqual({ acceptedBy: null, revoked: false, acceptances: 0, refusals: 1 });
    await backToUser([person]);
  }
});
