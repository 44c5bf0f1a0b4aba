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
let neighbour: ServiceOn;
let founder: Person;
let organization: { id: string };
beforeAll(async () => {
  service = await startTestService();
  neighbour = await startSecondInstance(service);
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

test.each<[where: string, places: () => Pick<ServiceOn, 'browser' | 'url'>[]]>([
  ['one process', () => [service]],
  ['two processes', () => [service, neighbour]],
])('twenty users who accept one link at once in %s are one new member, ten times over', async (_, places) => {
  const at = places();
  const people = await Promise.all(
    Array.from({ length: 20 }, (_, n) => signUp(at[n % at.length] as ServiceOn)),
  );
  for (let round = 0; round < 10; round += 1) {
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
});

test('one user who accepts twenty times at once in two processes becomes a member once, twenty times over', async () => {
  for (let round = 0; round < 20; round += 1) {
    const person = await signUp(service);
    const named = await offer(founder.browser, organization, person);
    const browsers = [person.browser, neighbour.browser(person.browser.cookies)];
    const answers = await together(
      times(10, browsers)
        .flat()
        .map((browser) => () => acceptReceived(browser, named)),
    );
    expect(sortedStatuses(answers)).toEqual([200, ...times(19, 410)]);
    expect(await fateOf(service, named)).toMatchObject({ acceptances: 1, acceptedBy: userIdOf(person) });
  }
});

test('one user who accepts an invitation and a link at once uses up one, fifty times over', async () => {
  const person = await signUp(service);
  for (let round = 0; round < 50; round += 1) {
    const named = await offer(founder.browser, organization, person);
    const { invitation, token } = await link(founder.browser, organization);
    const answers = await inEitherOrder(
      round,
      () => acceptReceived(person.browser, named),
      () => acceptLink(inRound(round, person), token),
    );
    expect([...answers].sort()).toEqual([200, 409]);
    const fates = [await fateOf(service, named), await fateOf(service, invitation)];
    expect(fates.map(({ acceptances }) => acceptances)).toEqual(answers[0] === 200 ? [1, 0] : [0, 1]);
    await expel(service, organization, [person]);
    await revokeIn(founder.browser, organization, named);
    await revokeIn(founder.browser, organization, invitation);
  }
});
