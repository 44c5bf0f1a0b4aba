import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Answer, TestAgent } from '../support/agent.ts';
import { sortedStatuses, times } from '../support/many-requests.ts';
import { logIn, type Person, signUp, userIdOf } from '../support/person.ts';
import { rounds } from '../support/rounds.ts';
import type { ServiceOn } from '../support/service-on.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { accept, signUpAs } from './support/authority.ts';
import { isSignedIn } from './support/current-session.ts';
import { auditRowsOfInvitation, inviteWhole, roleOf } from './support/invitations.ts';
import { alternatingRounds, type Pair, startPair } from './support/paired-changes.ts';

let service: TestService;
let pair: Pair;
let superadmin: Person;
beforeAll(async () => {
  service = await startTestService();
  pair = await startPair(service);
  superadmin = await signUpAs(service, 'superadmin');
});
afterAll(async () => {
  await pair.close();
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

/** Keeps the cookies that a copy of the browser got from an instance. */
function keepCookies(browser: TestAgent, { cookies }: TestAgent): void {
  for (const cookie of cookies) browser.cookies.set(...cookie);
}

/** Accepts the invitation on the given instance, with the session of this browser. */
const acceptWith =
  (browser: TestAgent, token: string) =>
  async (instance: ServiceOn): Promise<Answer> => {
    const copy = instance.browser(browser.cookies);
    const answer = await accept(copy, token);
    keepCookies(browser, copy);
    return answer;
  };

const places = [
  ['one process', 1],
  ['two processes', 2],
] as const;

test.each(places)(
  'when ten users accept one invitation concurrently in %s, one becomes an admin',
  async (_, processes) => {
    const people = await Promise.all(times(10, service).map((at) => signUp(at)));
    for (let round = 0; round < rounds; round += 1) {
      const { invitation, token } = await inviteWhole(superadmin.browser);
      const answers = await pair.meet(processes, ...people.map(({ browser }) => acceptWith(browser, token)));
      expect(sortedStatuses(answers)).toEqual([200, ...times(9, 410)]);
      const winner = people[winnerOf(answers)] as Person;
      const admins = await service.database.sql`
      select id from latchkey.users where role = 'admin' and id = any(${people.map(userIdOf)}::uuid[])`;
      expect(admins).toEqual([{ id: userIdOf(winner) }]);
      expect(await fateOf(invitation)).toEqual({
        acceptedBy: userIdOf(winner),
        revoked: false,
        acceptances: 1,
        refusals: 9,
      });
      await backToUser(people);
    }
    for (const { browser } of people) expect(await isSignedIn(browser)).toBe(true);
  },
);

test.each(places)(
  'a user who accepts one invitation with ten concurrent requests in %s succeeds once',
  async (_, processes) => {
    const person = await signUp(service);
    for (let round = 0; round < rounds; round += 1) {
      const { invitation, token } = await inviteWhole(superadmin.browser);
      const browsers = Array.from({ length: 10 }, () => person.browser.copy());
      const answers = await pair.meet(processes, ...browsers.map((browser) => acceptWith(browser, token)));
      // Later requests find that the session token was replaced, or that the invitation was accepted.
      const [first, ...others] = sortedStatuses(answers);
      expect(first).toBe(200);
      for (const status of others) expect([401, 410]).toContain(status);
      const winner = browsers[winnerOf(answers)] as TestAgent;
      expect([await roleOf(winner), await isSignedIn(person.browser)]).toEqual(['admin', false]);
      expect(answers.filter(({ headers }) => headers.getSetCookie().length > 0)).toHaveLength(1);
      expect(await fateOf(invitation)).toMatchObject({ acceptedBy: userIdOf(person), acceptances: 1 });
      await backToUser([person]);
      keepCookies(person.browser, winner);
    }
  },
);

test('a user who accepts two invitations concurrently succeeds with only one of them', async () => {
  const person = await signUp(service);
  const browsers = [person.browser, service.browser()] as const;
  await logIn(browsers[1], person.authenticator);
  await alternatingRounds(async (processes) => {
    const made = [await inviteWhole(superadmin.browser), await inviteWhole(superadmin.browser)] as const;
    const answers = await pair.meet(
      processes,
      ...made.map(({ token }, n) => acceptWith(browsers[n] as TestAgent, token)),
    );
    expect(sortedStatuses(answers)).toEqual([200, 409]);
    const won = winnerOf(answers);
    expect(await fateOf((made[won] ?? made[0]).invitation)).toMatchObject({ acceptances: 1, refusals: 0 });
    const left = await fateOf((made[1 - won] ?? made[0]).invitation);
    expect(left).toEqual({ acceptedBy: null, revoked: false, acceptances: 0, refusals: 1 });
    await backToUser([person]);
  });
});
