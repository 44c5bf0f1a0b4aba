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

describe('accepting an invitation concurrently with', () => {
  test('revoking it: exactly one of the two requests succeeds (20 rounds)', async () => {
    const person = await signUp(service);
    const revoker = secondInstance.browser(superadmin.browser.cookies);
    for (let round = 0; round < 20; round += 1) {
      const { invitation, token } = await inviteWhole(superadmin.browser);
      const accepting = () => accept(person.browser, token);
      const revoking = () => revoke(round % 4 < 2 ? superadmin.browser : revoker, invitation);
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

  /** A superadmin's change of a user's account, and the status of the response. */
  const changes: [
    what: string,
    change: (by: TestAgent, creator: Person) => Promise<Answer>,
    status: number,
  ][] = [
    ['demoting', (by, creator) => changeRole(by, creator, 'user'), 200],
    ['disabling', disable, 200],
    ['deleting', deleteUser, 204],
  ];
  test.each(changes)(
    '%s its creator: the invitation is either accepted or revoked (20 rounds)',
    async (_, change, status) => {
      const person = await signUp(service);
      const from = [superadmin.browser, secondInstance.browser(superadmin.browser.cookies)] as const;
      let creator = await signUpAs(service, 'superadmin');
      for (let round = 0; round < 20; round += 1) {
        const { invitation, token } = await inviteWhole(creator.browser);
        const accepting = () => accept(person.browser, token);
        const changing = () => change(from[round % 4 < 2 ? 0 : 1], creator);
        const answers = await together(round % 2 ? [accepting, changing] : [changing, accepting]);
        const [accepted = 0, changed] = statuses(round % 2 ? answers : answers.reverse());
        expect(changed).toBe(status);
        expect([200, 410]).toContain(accepted);
        const won = accepted === 200;
        expect(await roleOf(person.browser)).toBe(won ? 'admin' : 'user');
        expect(await fateOf(invitation)).toEqual({
          acceptedBy: won ? userIdOf(person) : null,
          revoked: !won,
          acceptances: won ? 1 : 0,
          refusals: won ? 0 : 1,
        });
        if (status === 204 || round % 10 === 9) creator = await signUpAs(service, 'superadmin');
        else {
          await enable(superadmin.browser, creator);
          await setRole(service, creator, 'superadmin');
          if (!(await isSignedIn(creator.browser))) await logIn(creator.browser, creator.authenticator);
        }
        await backToUser([person]);
        expect((await accept(person.browser, token)).status).toBe(410);
      }
    },
  );

  test.each(changes.slice(1))(
    '%s the accepting user: the invitation is either accepted or unchanged (20 rounds)',
    async (_, change, status) => {
      for (let round = 0; round < 20; round += 1) {
        const person = await signUp(service);
        const { invitation, token } = await inviteWhole(superadmin.browser);
        const accepting = () => accept(person.browser, token);
        const changing = () => change(superadmin.browser, person);
        const answers = await together(round % 2 ? [accepting, changing] : [changing, accepting]);
        const [accepted = 0, changed] = statuses(round % 2 ? answers : answers.reverse());
        expect(changed).toBe(status);
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
