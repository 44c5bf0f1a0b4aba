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
let neighbour: ServiceOn;
let chief: Person;
let founder: Person;
let organization: { id: string };
beforeAll(async () => {
  service = await startTestService();
  neighbour = await startSecondInstance(service);
  chief = await signUpAs(service, 'superadmin');
  founder = await signUpAs(service, 'admin');
  organization = await found(founder.browser);
});
afterAll(async () => {
  await neighbour.close();
  await service.close();
});

/** The same user's browser at one process or, every other two rounds, at the other. */
const inRound = (round: number, { browser }: Person): TestAgent =>
  round % 4 < 2 ? browser : neighbour.browser(browser.cookies);

describe('concurrent with an acceptance,', () => {
  test('revoking: exactly one succeeds, in 50 runs', async () => {
    const person = await signUp(service);
    for (let round = 0; round < 50; round += 1) {
      const named = await offer(founder.browser, organization, person);
      const [accepted, revoked] = await inEitherOrder(
        round,
        () => acceptReceived(person.browser, named),
        () => revokeIn(inRound(round, founder), organization, named),
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

  test('declining: exactly one succeeds, in 50 runs', async () => {
    const person = await signUp(service);
    for (let round = 0; round < 50; round += 1) {
      const named = await offer(founder.browser, organization, person);
      const [accepted, declined] = await inEitherOrder(
        round,
        () => acceptReceived(person.browser, named),
        () => declineReceived(inRound(round, person), named),
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

  const falls: [
    what: string,
    fall: (by: Person, maker: Person, round: number) => Promise<Answer>,
    status: number,
  ][] = [
    ['demotion', (by, maker, round) => changeMember(inRound(round, by), organization, maker, 'user'), 200],
    ['removal', (by, maker, round) => removeMember(inRound(round, by), organization, maker), 204],
    ['change of role', (by, maker, round) => changeRole(inRound(round, by), maker, 'admin'), 200],
    ['disabling', (by, maker, round) => disable(inRound(round, by), maker), 200],
    ['deletion', (by, maker, round) => deleteUser(inRound(round, by), maker), 204],
  ];
  test.each(falls)(
    'the %s of its creator: it ends accepted or revoked, in 50 runs',
    async (what, fall, status) => {
      const person = await signUp(service);
      let maker = await signUpMember(service, founder.browser, organization, 'admin');
      for (let round = 0; round < 50; round += 1) {
        const { invitation, token } = await link(maker.browser, organization);
        const [accepted, fallen] = await inEitherOrder(
          round,
          () => acceptLink(person.browser, token),
          () => fall(chief, maker, round),
        );
        expect(fallen).toBe(status);
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
          maker = await signUpMember(service, founder.browser, organization, 'admin');
        } else {
          await setMembership(service, organization, maker, 'admin');
          await changeRole(chief.browser, maker, 'user');
        }
      }
    },
  );

  test('deleting the organization: nothing is left, in 50 runs', async () => {
    const person = await signUp(service);
    for (let round = 0; round < 50; round += 1) {
      const own = await found(founder.browser);
      const named = await offer(founder.browser, own, person);
      const [accepted, deleted] = await inEitherOrder(
        round,
        () => acceptReceived(person.browser, named),
        () => deleteOrganization(inRound(round, founder), own),
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
    'the %s of the user: the acceptance completes or changes nothing, in 30 runs',
    async (what, fall, status) => {
      for (let round = 0; round < 30; round += 1) {
        const person = await signUp(service);
        const named = await offer(founder.browser, organization, person);
        const [accepted, fallen] = await inEitherOrder(
          round,
          () => acceptReceived(person.browser, named),
          () => fall(inRound(round, chief), person),
        );
        expect(fallen).toBe(status);
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
        if (what === 'disabling') await enable(chief.browser, person);
      }
    },
  );

  test('removing the member who joins by it: a removal that succeeds leaves no membership, in 50 runs', async () => {
    const person = await signUp(service);
    for (let round = 0; round < 50; round += 1) {
      const { token } = await link(founder.browser, organization);
      const [accepted, removed] = await inEitherOrder(
        round,
        () => acceptLink(person.browser, token),
        () => inRound(round, founder).delete(memberPath(organization, person)),
      );
      expect(accepted).toBe(200);
      expect([204, 404]).toContain(removed);
      expect(await membersAmong(service, organization, [person])).toHaveLength(removed === 204 ? 0 : 1);
      await expel(service, organization, [person]);
    }
  });
});
