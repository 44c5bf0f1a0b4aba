import { freezeClock } from '../../support/frozen-clock.ts';
import { addPasskey, type Person, signUp } from '../../support/person.ts';
import { startTestService } from '../../support/test-service.ts';
import { admit, found, invitationsPath, inviteTo, signUpAs } from './authority.ts';
import { type RewindableService, startRewindable } from './authorization-rewind.ts';
import type { CallerName } from './authorization-table.ts';
import { addPassword, enterByPassword } from './passwords.ts';
import { startRecovering } from './recovery.ts';
import { inviteUser } from './sign-ups.ts';

/** A caller: a user, and the cookies that the request contains. */
export interface AskingPerson {
  person: Person;
  cookies: ReadonlyMap<string, string>;
}

/** The data of the test: two organizations, every caller, and every target of a request. */
export interface World {
  service: RewindableService;
  askers: Record<CallerName, AskingPerson>;
  here: { id: string };
  there: { id: string };
  /** A member of `here` with the role user. */
  insider: Person;
  /** A member of `there` with the role user. */
  outsider: Person;
  /** A member of `here` with the role admin. */
  colleague: Person;
  /** A member of `here` with the role superadmin. */
  otherSuperadmin: Person;
  /** An organization admin of `here` with the role user. */
  orgAdmin: Person;
  /** A member of no organization. */
  newcomer: Person;
  /** A pending invitation to get the role admin. */
  invitation: { id: string };
  /** A pending user invitation of the caller `admin`. */
  userInvitation: { id: string };
  webhook: { id: string };
  /** An organization whose only member is `otherSuperadmin`. */
  club: { id: string; slug: string };
  /** Pending invitations to organizations. */
  offers: {
    /** For users who are not callers. */
    here: { id: string };
    there: { id: string };
    /** An invitation link to `club`. */
    link: { id: string };
    /** The invitation of each caller to `club`. The key is the username. */
    to: ReadonlyMap<string, string>;
  };
  close(): Promise<void>;
}

export async function createWorld(): Promise<World> {
  const webhooks = { allowedNetworks: ['127.0.0.1'] };
  const base = await startTestService({ bcryptCost: 4, impersonation: true, webhooks });
  await freezeClock(base);
  // This user signs in eleven minutes before all other users.
  const stale = await equip(await signUpAs(base, 'superadmin'));
  await base.turnClock({ minutes: 11 });
  await stale.browser.get('/auth/session');

  const admin = await equip(await signUpAs(base, 'admin'));
  const elsewhere = await equip(await signUpAs(base, 'admin'));
  const superadmin = await equip(await signUpAs(base, 'superadmin'));
  const [here, there] = [await found(admin.browser), await found(elsewhere.browser)];
  const people = {
    user: await equip(await signUp(base)),
    member: await equip(await signUp(base)),
    orgAdmin: await equip(await signUp(base)),
    insider: await signUp(base),
    outsider: await signUp(base),
    colleague: await signUpAs(base, 'admin'),
    otherSuperadmin: await signUpAs(base, 'superadmin'),
    newcomer: await signUp(base),
  };
  for (const [browser, organization, person, role] of [
    [admin.browser, here, stale, 'user'],
    [admin.browser, here, people.member, 'user'],
    [admin.browser, here, people.orgAdmin, 'admin'],
    [admin.browser, here, people.insider, 'user'],
    [admin.browser, here, people.colleague, 'user'],
    [admin.browser, here, people.otherSuperadmin, 'user'],
    [elsewhere.browser, there, people.outsider, 'user'],
  ] as const) {
    await admit(browser, organization, person, role);
  }
  const recovering = await startRecovering(base, await equip(await signUpAs(base, 'superadmin')));
  const withPassword = await equip(await signUpAs(base, 'superadmin'));
  await admit(admin.browser, here, withPassword);
  const unprivileged = await enterByPassword(base, withPassword);
  const invitation = (await superadmin.browser.post(invitationsPath, {})).body.invitation;

  const userInvitation = await inviteUser(admin.browser);

  const offer = async ({ browser }: Person, organization: { id: string }, person?: Person) => {
    const answer = await inviteTo(browser, organization, person && { username: person.username });
    if (answer.status !== 201) throw new Error(`inviting returned ${answer.status} ${answer.body.code}`);
    return answer.body.invitation as { id: string };
  };
  const club = await found(people.otherSuperadmin.browser);
  const { user, member, orgAdmin } = people;
  const invited = [
    user,
    recovering.person,
    stale,
    member,
    orgAdmin,
    admin,
    elsewhere,
    superadmin,
    unprivileged,
  ];
  const to = new Map<string, string>();
  for (const person of invited)
    to.set(person.username, (await offer(people.otherSuperadmin, club, person)).id);
  const offers = {
    here: await offer(admin, here, people.outsider),
    there: await offer(elsewhere, there, people.insider),
    link: await offer(people.otherSuperadmin, club),
    to,
  };

  // A test of this webhook sends nothing, because the instance that gets the requests does not allow the network.
  const { webhook } = await base.auth.asOperator('ops').webhooks.create({
    name: 'hooks',
    url: 'https://127.0.0.1/',
  });

  const service = await startRewindable(base);
  const asking = (person: Person): AskingPerson => ({ person, cookies: person.browser.cookies });
  return {
    service,
    here,
    there,
    invitation,
    userInvitation,
    webhook,
    club,
    offers,
    ...people,
    askers: {
      // If an endpoint needs a username or a credential, the anonymous caller sends those of `user`.
      anonymous: { person: people.user, cookies: new Map() },
      user: asking(people.user),
      recovering: { person: recovering.person, cookies: recovering.browser.cookies },
      stale: asking(stale),
      member: asking(people.member),
      orgAdmin: asking(people.orgAdmin),
      admin: asking(admin),
      elsewhere: asking(elsewhere),
      superadmin: asking(superadmin),
      unprivileged: asking(unprivileged),
    },
    close: async () => {
      await service.close();
      await base.close();
    },
  };
}

/** Adds a password and a second passkey, so that the tests can remove a password or a passkey. */
async function equip(person: Person): Promise<Person> {
  await addPassword(person.browser);
  await addPasskey(person.browser);
  return person;
}
