import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer, TestAgent } from '../support/agent.ts';
import { type Person, signUp, userIdOf } from '../support/person.ts';
import { startSecondInstance } from '../support/second-instance.ts';
import type { ServiceOn } from '../support/service-on.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import {
  changeRole,
  deleteUser,
  disable,
  enable,
  found,
  memberPath,
  signUpAs,
  signUpMember,
} from './support/authority.ts';
import {
  acceptLink,
  acceptReceived,
  declineReceived,
  expel,
  fateOf,
  inEitherOrder,
  link,
  membersAmong,
  offer,
  revokeIn,
} from './support/organization-invitations.ts';
import { changeMember, deleteOrganization, removeMember, setMembership } from './support/organizations.ts';

let service: TestService;
/** Another process on the same database. */
let otherInstance: ServiceOn;
let superadmin: Person;
let founder: Person;
let organization: { id: string };
beforeAll(async () => {
  service = await startTestService();
  otherInstance = await startSecondInstance(service);
  superadmin = await signUpAs(service, 'superadmin');
  founder = await signUpAs(service, 'admin');
  organization = await found(founder.browser);
});
afterAll(async () => {
  await otherInstance.close();
  await service.close();
});

/** Returns a browser with the user's cookies. The browser switches to the other process after every two rounds. */
const browserIn = (round: number, { browser }: Person): TestAgent =>
  round % 4 < 2 ? browser : otherInstance.browser(browser.cookies);

describe('accepting an invitation concurrently with', () => {
  test('revoking it: exactly one of the two requests succeeds (20 rounds)', async () => {
    const person = await signUp(service);
    for (let round = 0; round < 20; round += 1) {
      const named = await offer(founder.browser, organization, person);
      const [accepted, revoked] = await inEitherOrder(
        round,
        () => acceptReceived(person.browser, named),
        () => revokeIn(browserIn(round, founder), organization, named),
      );
      const won = accepted === 200;
      expect([accepted, revoked]).toEqual(won ? [200, 409] : [410, 204]);
      expect(await membersAmong(service, organization, [person])).toHaveLength(won ? 1 : 0);
      expect(await fateOf(service, named)).toEqual({
        acceptedBy: won ? userIdOf(person) : null,
        revoked: !won,
        declined: false,
        acceptances: won ? 1 : 0,
        revocations: won ? 0 : 1,
        declines: 0,
      });
      await expel(service, organization, [person]);
    }
  });

  test('declining it: exactly one of the two requests succeeds (20 rounds)', async () => {
    const person = await signUp(service);
    for (let round = 0; round < 20; round += 1) {
      const named = await offer(founder.browser, organization, person);
      const [accepted, declined] = await inEitherOrder(
        round,
        () => acceptReceived(person.browser, named),
        () => declineReceived(browserIn(round, person), named),
      );
      const won = accepted === 200;
      expect([accepted, declined]).toEqual(won ? [200, 409] : [410, 204]);
      expect(await membersAmong(service, organization, [person])).toHaveLength(won ? 1 : 0);
      expect(await fateOf(service, named)).toMatchObject({
        declined: !won,
        acceptances: won ? 1 : 0,
        declines: won ? 0 : 1,
      });
      await expel(service, organization, [person]);
    }
  });

  const creatorChanges: [
    what: string,
    change: (by: Person, creator: Person, round: number) => Promise<Answer>,
    status: number,
  ][] = [
    [
      'demotion',
      (by, creator, round) => changeMember(browserIn(round, by), organization, creator, 'user'),
      200,
    ],
    ['removal', (by, creator, round) => removeMember(browserIn(round, by), organization, creator), 204],
    ['change of role', (by, creator, round) => changeRole(browserIn(round, by), creator, 'admin'), 200],
    ['disabling', (by, creator, round) => disable(browserIn(round, by), creator), 200],
    ['deletion', (by, creator, round) => deleteUser(browserIn(round, by), creator), 204],
  ];
  test.each(creatorChanges)(
    'the %s of its creator: the invitation is either accepted or revoked (20 rounds)',
    async (what, change, status) => {
      const person = await signUp(service);
      let creator = await signUpMember(service, founder.browser, organization, 'admin');
      for (let round = 0; round < 20; round += 1) {
        const { invitation, token } = await link(creator.browser, organization);
        const [accepted, changed] = await inEitherOrder(
          round,
          () => acceptLink(person.browser, token),
          () => change(superadmin, creator, round),
        );
        expect(changed).toBe(status);
        const won = accepted === 200;
        if (!won) expect(accepted).toBe(410);
        expect(await membersAmong(service, organization, [person])).toHaveLength(won ? 1 : 0);
        expect(await fateOf(service, invitation)).toMatchObject({
          acceptedBy: won ? userIdOf(person) : null,
          revoked: !won,
          acceptances: won ? 1 : 0,
        });
        await expel(service, organization, [person]);
        if (what === 'deletion' || what === 'disabling') {
          creator = await signUpMember(service, founder.browser, organization, 'admin');
        } else {
          await setMembership(service, organization, creator, 'admin');
          await changeRole(superadmin.browser, creator, 'user');
        }
      }
    },
  );

  test('the deletion of the organization: no membership or invitation remains (20 rounds)', async () => {
    const person = await signUp(service);
    for (let round = 0; round < 20; round += 1) {
      const own = await found(founder.browser);
      const named = await offer(founder.browser, own, person);
      const [accepted, deleted] = await inEitherOrder(
        round,
        () => acceptReceived(person.browser, named),
        () => deleteOrganization(browserIn(round, founder), own),
      );
      expect(deleted).toBe(204);
      expect([200, 404]).toContain(accepted);
      expect(await membersAmong(service, own, [person])).toEqual([]);
      expect((await fateOf(service, named)).revoked).toBeNull();
    }
  });

  test.each([
    ['deletion', deleteUser, 204],
    ['disabling', disable, 200],
  ] as const)(
    'the %s of the invited user: the acceptance either succeeds or changes nothing (20 rounds)',
    async (what, change, status) => {
      for (let round = 0; round < 20; round += 1) {
        const person = await signUp(service);
        const named = await offer(founder.browser, organization, person);
        const [accepted, changed] = await inEitherOrder(
          round,
          () => acceptReceived(person.browser, named),
          () => change(browserIn(round, superadmin), person),
        );
        expect(changed).toBe(status);
        expect([200, 401]).toContain(accepted);
        const won = accepted === 200;
        expect(await membersAmong(service, organization, [person])).toHaveLength(
          won && what === 'disabling' ? 1 : 0,
        );
        expect(await fateOf(service, named)).toMatchObject({
          acceptedBy: won ? userIdOf(person) : null,
          revoked: !won && what === 'deletion',
          acceptances: won ? 1 : 0,
        });
        if (what === 'disabling') await enable(superadmin.browser, person);
      }
    },
  );

  test('the removal of the new member: a removal that succeeds leaves no membership (20 rounds)', async () => {
    const person = await signUp(service);
    for (let round = 0; round < 20; round += 1) {
      const { token } = await link(founder.browser, organization);
      const [accepted, removed] = await inEitherOrder(
        round,
        () => acceptLink(person.browser, token),
        () => browserIn(round, founder).delete(memberPath(organization, person)),
      );
      expect(accepted).toBe(200);
      expect([204, 404]).toContain(removed);
      expect(await membersAmong(service, organization, [person])).toHaveLength(removed === 204 ? 0 : 1);
      await expel(service, organization, [person]);
    }
  });
});
