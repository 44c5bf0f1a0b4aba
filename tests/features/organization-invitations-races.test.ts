import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestAgent } from '../support/agent.ts';
import { sortedStatuses, times, together } from '../support/many-requests.ts';
import { type Person, signUp, userIdOf } from '../support/person.ts';
import { startSecondInstance } from '../support/second-instance.ts';
import type { ServiceOn } from '../support/service-on.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { found, signUpAs } from './support/authority.ts';
import {
  acceptLink,
  acceptReceived,
  expel,
  fateOf,
  inEitherOrder,
  link,
  membersAmong,
  offer,
  revokeIn,
} from './support/organization-invitations.ts';

let service: TestService;
/** Another process on the same database. */
let otherInstance: ServiceOn;
let founder: Person;
let organization: { id: string };
beforeAll(async () => {
  service = await startTestService();
  otherInstance = await startSecondInstance(service);
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

test.each<[where: string, instances: () => Pick<ServiceOn, 'browser' | 'url'>[]]>([
  ['one process', () => [service]],
  ['two processes', () => [service, otherInstance]],
])(
  'when twenty users accept one link concurrently in %s, one becomes a member (5 rounds)',
  async (_, instances) => {
    const servers = instances();
    const people = await Promise.all(
      Array.from({ length: 20 }, (_, n) => signUp(servers[n % servers.length] as ServiceOn)),
    );
    for (let round = 0; round < 5; round += 1) {
      const { invitation, token } = await link(founder.browser, organization);
      const answers = await together(
        people.map(
          ({ browser }) =>
            () =>
              acceptLink(browser, token),
        ),
      );
      expect(sortedStatuses(answers)).toEqual([200, ...times(19, 410)]);
      const winner = people[answers.findIndex(({ status }) => status === 200)] as Person;
      expect(await membersAmong(service, organization, people)).toEqual([userIdOf(winner)]);
      expect(await fateOf(service, invitation)).toMatchObject({
        acceptedBy: userIdOf(winner),
        acceptances: 1,
        revoked: false,
      });
      await expel(service, organization, people);
    }
  },
);

test('a user who accepts an invitation with 20 concurrent requests in two processes succeeds once (20 rounds)', async () => {
  for (let round = 0; round < 20; round += 1) {
    const person = await signUp(service);
    const named = await offer(founder.browser, organization, person);
    const browsers = [person.browser, otherInstance.browser(person.browser.cookies)];
    const answers = await together(
      times(10, browsers)
        .flat()
        .map((browser) => () => acceptReceived(browser, named)),
    );
    expect(sortedStatuses(answers)).toEqual([200, ...times(19, 410)]);
    expect(await fateOf(service, named)).toMatchObject({ acceptances: 1, acceptedBy: userIdOf(person) });
  }
});

test('a user who accepts an invitation and a link concurrently succeeds with only one of them (20 rounds)', async () => {
  const person = await signUp(service);
  for (let round = 0; round < 20; round += 1) {
    const named = await offer(founder.browser, organization, person);
    const { invitation, token } = await link(founder.browser, organization);
    const answers = await inEitherOrder(
      round,
      () => acceptReceived(person.browser, named),
      () => acceptLink(browserIn(round, person), token),
    );
    expect([...answers].sort()).toEqual([200, 409]);
    const fates = [await fateOf(service, named), await fateOf(service, invitation)];
    expect(fates.map(({ acceptances }) => acceptances)).toEqual(answers[0] === 200 ? [1, 0] : [0, 1]);
    await expel(service, organization, [person]);
    await revokeIn(founder.browser, organization, named);
    await revokeIn(founder.browser, organization, invitation);
  }
});
