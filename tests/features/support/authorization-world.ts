import { freezeClock } from '../../support/frozen-clock.ts';
import { addPasskey, type Person, signUp } from '../../support/person.ts';
import { startTestService } from '../../support/test-service.ts';
import { admit, found, invitationsPath, inviteTo, signUpAs } from './authority.ts';
import { type RewindableService, startRewindable } from './authorization-rewind.ts';
import type { CallerName } from './authorization-table.ts';
import { addPassword } from './passwords.ts';
import { startRecovering } from './recovery.ts';

/** Who asks: a person, and the cookies that they come with. */
export interface AskingPerson {
  person: Person;
  cookies: ReadonlyMap<string, string>;
}

/** Two organizations, whoever may ask for something, and all that can be asked about. */
export interface World {
  service: RewindableService;
  askers: Record<CallerName, AskingPerson>;
  here: { id: string };
  there: { id: string };
  /** Belongs to `here`, as an ordinary user. */
  insider: Person;
  /** Belongs to `there`, as an ordinary user. */
  outsider: Person;
  /** Belongs to `here`, where they are nothing special, and has the role of an admin. */
  colleague: Person;
  /** Belongs to `here`, where they are nothing special, and has the role of a superadmin. */
  ruler: Person;
  /** An admin of `here`. */
  orgAdmin: Person;
  /** Belongs to no organization. */
  newcomer: Person;
  /** A pending one. */
  invitation: { id: string };
  /** An organization of `ruler` alone. */
  club: { id: string; slug: string };
  /** Pending invitations to organizations. */
  offers: {
    /** To `here` and `there`, for users who ask for nothing. */
    here: { id: string };
    there: { id: string };
    /** A link to `club`. */
    link: { id: string };
    /** To `club`, by the username of each asker. */
    to: ReadonlyMap<string, string>;
  };
  close(): Promise<void>;
}

export async function createWorld(): Promise<World> {
  const base = await startTestService({ bcryptCost: 4 });
  await freezeClock(base);
  // Signed in eleven minutes before everybody else.
  const stale = await equipped(await signUpAs(base, 'superadmin'));
  await base.turnClock({ minutes: 11 });
  await stale.browser.get('/auth/session');

  const admin = await equipped(await signUpAs(base, 'admin'));
  const elsewhere = await equipped(await signUpAs(base, 'admin'));
  const superadmin = await equipped(await signUpAs(base, 'superadmin'));
  const [here, there] = [await found(admin.browser), await found(elsewhere.browser)];
  const people = {
    user: await equipped(await signUp(base)),
    member: await equipped(await signUp(base)),
    orgAdmin: await equipped(await signUp(base)),
    insider: await signUp(base),
    outsider: await signUp(base),
    colleague: await signUpAs(base, 'admin'),
    ruler: await signUpAs(base, 'superadmin'),
    newcomer: await signUp(base),
  };
  for (const [browser, organization, person, role] of [
    [admin.browser, here, stale, 'user'],
    [admin.browser, here, people.member, 'user'],
    [admin.browser, here, people.orgAdmin, 'admin'],
    [admin.browser, here, people.insider, 'user'],
    [admin.browser, here, people.colleague, 'user'],
    [admin.browser, here, people.ruler, 'user'],
    [elsewhere.browser, there, people.outsider, 'user'],
  ] as const) {
    await admit(browser, organization, person, role);
  }
  const recovering = await startRecovering(base, await equipped(await signUpAs(base, 'superadmin')));
  const invitation = (await superadmin.browser.post(invitationsPath, {})).body.invitation;

  const offer = async ({ browser }: Person, organization: { id: string }, person?: Person) => {
    const answer = await inviteTo(browser, organization, person && { username: person.username });
    if (answer.status !== 201) throw new Error(`inviting answered ${answer.status} ${answer.body.code}`);
    return answer.body.invitation as { id: string };
  };
  const club = await found(people.ruler.browser);
  const { user, member, orgAdmin } = people;
  const invited = [user, recovering.person, stale, member, orgAdmin, admin, elsewhere, superadmin];
  const to = new Map<string, string>();
  for (const person of invited) to.set(person.username, (await offer(people.ruler, club, person)).id);
  const offers = {
    here: await offer(admin, here, people.outsider),
    there: await offer(elsewhere, there, people.insider),
    link: await offer(people.ruler, club),
    to,
  };

  const service = await startRewindable(base);
  const asking = (person: Person): AskingPerson => ({ person, cookies: person.browser.cookies });
  return {
    service,
    here,
    there,
    invitation,
    club,
    offers,
    ...people,
    askers: {
      // Where a name or a credential is asked for, a visitor brings those of the user.
      nobody: { person: people.user, cookies: new Map() },
      user: asking(people.user),
      recovering: { person: recovering.person, cookies: recovering.browser.cookies },
      stale: asking(stale),
      member: asking(people.member),
      orgAdmin: asking(people.orgAdmin),
      admin: asking(admin),
      elsewhere: asking(elsewhere),
      superadmin: asking(superadmin),
    },
    close: async () => {
      await service.close();
      await base.close();
    },
  };
}

/** With a password and a second passkey, so that each can be taken away. */
async function equipped(person: Person): Promise<Person> {
  await addPassword(person.browser);
  await addPasskey(person.browser);
  return person;
}
