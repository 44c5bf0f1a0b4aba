import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer, TestAgent } from '../support/agent.ts';
import { statuses, together } from '../support/many-requests.ts';
import { logIn, type Person, signUp, userIdOf } from '../support/person.ts';
import { startSecondInstance } from '../support/second-instance.ts';
import type { ServiceOn } from '../support/service-on.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { setRole } from './support/accounts.ts';
import { accept, changeRole, deleteUser, disable, enable, signUpAs } from './support/authority.ts';
import { isSignedIn } from './support/current-session.ts';
import { auditRowsOfInvitation, inviteWhole, revoke, roleOf } from './support/invitations.ts';

let service: TestService;
/** Another process on the same database. */
let neighbour: ServiceOn;
let chief: Person;
beforeAll(async () => {
  service = await startTestService();
  neighbour = await startSecondInstance(service);
  chief = await signUpAs(service, 'superadmin');
});
afterAll(async () => {
  await neighbour.close();
  await service.close();
});

/** What has become of an invitation, and how often the log tells of it. */
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

describe('an acceptance and, at once,', () => {
  test('the revoking of the invitation never both succeed, fifty times over', async () => {
    const person = await signUp(service);
    const revoker = neighbour.browser(chief.browser.cookies);
    for (let round = 0; round < 50; round += 1) {
      const { invitation, token } = await inviteWhole(chief.browser);
      const accepting = () => accept(person.browser, token);
      const revoking = () => revoke(round % 4 < 2 ? chief.browser : revoker, invitation);
      const answers = await together(round % 2 ? [accepting, revoking] : [revoking, accepting]);
      const [accepted = 0, revoked = 0] = statuses(round % 2 ? answers : answers.reverse());
      if (accepted === 200) expect(revoked).toBe(409);
      else expect([accepted, revoked]).toEqual([410, 204]);
      const won = accepted === 200;
      expect(await roleOf(person.browser)).toBe(won ? 'admin' : 'user');
      expect(await fateOf(invitation)).toEqual({
        acceptedBy: won ? userIdOf(person) : null,
        revoked: !won,
        acceptances: won ? 1 : 0,
        refusals: won ? 0 : 1,
      });
      await backToUser([person]);
    }
  });

  /** What is done to the maker of an invitation, and what makes them again what they were. */
  const falls: [what: string, fall: (by: TestAgent, maker: Person) => Promise<Answer>, status: number][] = [
    ['the demotion', (by, maker) => changeRole(by, maker, 'user'), 200],
    ['the disabling', disable, 200],
    ['the deletion', deleteUser, 204],
  ];
  test.each(falls)('%s of its maker leave it accepted or dead, fifty times over', async (_, fall, status) => {
    const person = await signUp(service);
    const from = [chief.browser, neighbour.browser(chief.browser.cookies)] as const;
    let maker = await signUpAs(service, 'superadmin');
    for (let round = 0; round < 50; round += 1) {
      const { invitation, token } = await inviteWhole(maker.browser);
      const accepting = () => accept(person.browser, token);
      const falling = () => fall(from[round % 4 < 2 ? 0 : 1], maker);
      const answers = await together(round % 2 ? [accepting, falling] : [falling, accepting]);
      const [accepted = 0, fallen] = statuses(round % 2 ? answers : answers.reverse());
      expect(fallen).toBe(status);
      expect([200, 410]).toContain(accepted);
      const won = accepted === 200;
      expect(await roleOf(person.browser)).toBe(won ? 'admin' : 'user');
      expect(await fateOf(invitation)).toEqual({
        acceptedBy: won ? userIdOf(person) : null,
        revoked: !won,
        acceptances: won ? 1 : 0,
        refusals: won ? 0 : 1,
      });
      if (status === 204 || round % 10 === 9) maker = await signUpAs(service, 'superadmin');
      else {
        await enable(chief.browser, maker);
        await setRole(service, maker, 'superadmin');
        if (!(await isSignedIn(maker.browser))) await logIn(maker.browser, maker.authenticator);
      }
      await backToUser([person]);
      expect((await accept(person.browser, token)).status).toBe(410);
    }
  });

  test.each(falls.slice(1))(
    '%s of whoever accepts leave nothing half done, thirty times over',
    async (_, fall, status) => {
      for (let round = 0; round < 30; round += 1) {
        const person = await signUp(service);
        const { invitation, token } = await inviteWhole(chief.browser);
        const accepting = () => accept(person.browser, token);
        const falling = () => fall(chief.browser, person);
        const answers = await together(round % 2 ? [accepting, falling] : [falling, accepting]);
        const [accepted = 0, fallen] = statuses(round % 2 ? answers : answers.reverse());
        expect(fallen).toBe(status);
        expect([200, 401]).toContain(accepted);
        const won = accepted === 200;
        expect(await fateOf(invitation)).toMatchObject({
          acceptedBy: won ? userIdOf(person) : null,
          revoked: false,
          acceptances: won ? 1 : 0,
        });
      }
    },
  );
});
