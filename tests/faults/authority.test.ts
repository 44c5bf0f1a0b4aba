import { afterAll, beforeAll } from 'vitest';
import {
  accept,
  changeRole,
  deleteAccount,
  deleteUser,
  disable,
  enable,
  endSessionsOf,
  found,
  invite,
  inviteTo,
  memberPath,
  postInvitation,
  postMember,
  signUpAs,
  signUpMember,
} from '../features/support/authority.ts';
import { createLink, generateCodes } from '../features/support/recovery.ts';
import type { Answer } from '../support/agent.ts';
import { type Person, signUp, userIdOf } from '../support/person.ts';
import type { ServiceOn } from '../support/service-on.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import {
  type BrokenServices,
  describeBroken,
  type Facts,
  type Outcome,
  type Prepare,
  startBrokenServices,
} from './support/broken-statements.ts';

let service: TestService;
let broken: BrokenServices;
let superadmin: Person;
beforeAll(async () => {
  service = await startTestService();
  superadmin = await signUpAs(service, 'superadmin');
  broken = await startBrokenServices(service);
});
afterAll(async () => {
  await broken.close();
  await service.close();
});

/**
 * Reads everything about an account that a change of role, status or membership can affect. Also counts the account's
 * audit events.
 */
async function factsOf(person: Person): Promise<Facts> {
  const id = userIdOf(person);
  const { sql } = service.database;
  const [row] = await sql<Facts[]>`
    select role, status, deleted_at is not null as deleted, password_hash is not null as password,
      (select count(*)::int from latchkey.sessions where user_id = ${id}) as sessions,
      (select string_agg(token_hash, ',' order by id) from latchkey.sessions where user_id = ${id}) as tokens,
      (select count(*)::int from latchkey.passkeys where user_id = ${id}) as passkeys,
      (select count(*)::int from latchkey.recovery_codes where user_id = ${id}) as codes,
      (select count(*)::int from latchkey.recovery_links where user_id = ${id}) as links,
      (select count(*)::int from latchkey.recovery_links where maker_id = ${id}) as links_made,
      (select string_agg(role, ',') from latchkey.memberships where user_id = ${id}) as memberships,
      (select count(*)::int from latchkey.organization_invitations
        where created_by = ${id} and revoked_at is null and accepted_at is null) as offers_made,
      (select count(*)::int from latchkey.organization_invitations
        where user_id = ${id} and revoked_at is null and accepted_at is null and declined_at is null) as offers_open,
      (select count(*)::int from latchkey.organization_invitations where accepted_by = ${id}) as offers_accepted,
      (select count(*)::int from latchkey.invitations where accepted_by = ${id}) as accepted,
      (select count(*)::int from latchkey.invitations
        where created_by = ${id} and revoked_at is null) as invitations
    from latchkey.users where id = ${id}`;
  const events = await sql<{ event: string; count: number }[]>`
    select event || ' ' || outcome as event, count(*)::int as count from latchkey.audit_events
    where actor_id = ${id} or target_id = ${id} group by 1`;
  return { ...row, ...Object.fromEntries(events.map(({ event, count }) => [event, count])) };
}

const outcomeOf = async (answering: Promise<Answer>): Promise<Outcome> => {
  const { status, body, headers } = await answering;
  if (status === 503 && headers.getSetCookie().length > 0) throw new Error('the 503 set a cookie');
  return { status, code: body?.code ?? null, retryAfter: headers.get('Retry-After') };
};

const more = (before: Facts, event: string, by = 1) => ({
  [`${event} success`]: ((before[`${event} success`] as number | undefined) ?? 0) + by,
});

/** Signs up a user who has at least one row of each kind that a deletion removes. */
async function signUpWithEverything(): Promise<Person> {
  const person = await signUpAs(service, 'superadmin');
  await generateCodes(person.browser);
  await createLink(service, person);
  await postInvitation(person.browser);
  await person.browser.post(`/auth/admin/users/${userIdOf(await signUp(service))}/recovery`);
  const organization = await found(person.browser);
  await inviteTo(person.browser, organization);
  await inviteTo(superadmin.browser, await found(superadmin.browser), { username: person.username });
  return person;
}

/** Signs up an admin and a user. The admin invites the user to an organization. */
async function invitedUser() {
  const [admin, person] = [await signUpAs(service, 'admin'), await signUp(service)];
  const organization = await found(admin.browser);
  const { username } = person;
  const { invitation } = (await inviteTo(admin.browser, organization, { username, role: 'admin' })).body;
  return { organization, admin, person, invitation };
}
const withoutAuthority = { links_made: 0, invitations: 0, offers_made: 0 };
const disabled = { ...withoutAuthority, status: 'disabled', sessions: 0, tokens: null, links: 0 };
const deleted = {
  ...disabled,
  role: 'user',
  deleted: true,
  passkeys: 0,
  codes: 0,
  memberships: null,
  offers_open: 0,
};
const rotated = { tokens: expectAny() };
function expectAny() {
  return { asymmetricMatch: (token: unknown) => typeof token === 'string' };
}

/** Returns a browser on this instance with the cookies of the user. */
const browserOf = ({ browser }: Person, instance: ServiceOn) => instance.browser(browser.cookies);

const acts: Record<string, Prepare> = {
  async 'changing a role'() {
    const person = await signUpWithEverything();
    return {
      act: (instance) => outcomeOf(changeRole(browserOf(superadmin, instance), person, 'admin')),
      facts: () => factsOf(person),
      change: (before) => ({
        ...withoutAuthority,
        links: 0,
        role: 'admin',
        ...more(before, 'user.change_role'),
      }),
      ...{ done: 200, again: 200 },
    };
  },
  async 'changing the user’s own role'() {
    const person = await signUpWithEverything();
    return {
      act: (instance) => outcomeOf(changeRole(browserOf(person, instance), person, 'admin')),
      facts: () => factsOf(person),
      change: (before) => ({
        ...withoutAuthority,
        ...rotated,
        links: 0,
        role: 'admin',
        ...more(before, 'user.change_role'),
      }),
      // The lost response contained the new session token.
      ...{ done: 200, again: 401 },
    };
  },
  async 'disabling a user'() {
    const person = await signUpWithEverything();
    return {
      act: (instance) => outcomeOf(disable(browserOf(superadmin, instance), person)),
      facts: () => factsOf(person),
      change: (before) => ({ ...disabled, ...more(before, 'user.disable') }),
      ...{ done: 200, again: 200 },
    };
  },
  async 'enabling a user'() {
    const person = await signUp(service);
    await disable(superadmin.browser, person);
    return {
      act: (instance) => outcomeOf(enable(browserOf(superadmin, instance), person)),
      facts: () => factsOf(person),
      change: (before) => ({ status: 'active', ...more(before, 'user.enable') }),
      ...{ done: 200, again: 200 },
    };
  },
  async 'ending a user’s sessions'() {
    const person = await signUpWithEverything();
    return {
      act: (instance) => outcomeOf(endSessionsOf(browserOf(superadmin, instance), person)),
      facts: () => factsOf(person),
      change: (before) => ({ sessions: 0, tokens: null, ...more(before, 'user.end_sessions') }),
      ...{ done: 200, again: 200 },
    };
  },
  async 'deleting a user'() {
    const person = await signUpWithEverything();
    return {
      act: (instance) => outcomeOf(deleteUser(browserOf(superadmin, instance), person)),
      facts: () => factsOf(person),
      change: (before) => ({ ...deleted, ...more(before, 'user.delete') }),
      ...{ done: 204, again: 404 },
    };
  },
  async 'deleting the user’s own account'() {
    const person = await signUpWithEverything();
    return {
      act: (instance) => outcomeOf(deleteAccount(browserOf(person, instance))),
      facts: () => factsOf(person),
      change: (before) => ({ ...deleted, ...more(before, 'account.delete') }),
      ...{ done: 204, again: 401 },
    };
  },
  async 'accepting an invitation'() {
    const person = await signUp(service);
    const token = await invite(superadmin.browser);
    return {
      act: (instance) => outcomeOf(accept(browserOf(person, instance), token)),
      facts: () => factsOf(person),
      change: (before) => ({ ...rotated, role: 'admin', accepted: 1, ...more(before, 'invitation.accept') }),
      ...{ done: 200, again: 401 },
    };
  },
  async 'creating an invitation'() {
    const person = await signUpAs(service, 'superadmin');
    return {
      act: (instance) => outcomeOf(postInvitation(browserOf(person, instance))),
      facts: () => factsOf(person),
      change: (before) => ({ invitations: 1, ...more(before, 'invitation.create') }),
      ...{ done: 201, again: 201 },
    };
  },
  async 'adding a member'() {
    const [admin, person] = [await signUpAs(service, 'admin'), await signUp(service)];
    const organization = await found(admin.browser);
    return {
      act: (instance) =>
        outcomeOf(postMember(browserOf(superadmin, instance), organization, person, 'admin')),
      facts: () => factsOf(person),
      change: (before) => ({ memberships: 'admin', ...more(before, 'member.add') }),
      ...{ done: 201, again: 409 },
    };
  },
  async 'inviting a user to an organization'() {
    const [admin, { username }] = [await signUpAs(service, 'admin'), await signUp(service)];
    const organization = await found(admin.browser);
    return {
      act: (instance) => outcomeOf(inviteTo(browserOf(admin, instance), organization, { username })),
      facts: () => factsOf(admin),
      change: (before) => ({ offers_made: 1, ...more(before, 'organization_invitation.create') }),
      ...{ done: 201, again: 409 },
    };
  },
  async 'creating an invitation link to an organization'() {
    const admin = await signUpAs(service, 'admin');
    const organization = await found(admin.browser);
    return {
      act: (instance) => outcomeOf(inviteTo(browserOf(admin, instance), organization)),
      facts: () => factsOf(admin),
      change: (before) => ({ offers_made: 1, ...more(before, 'organization_invitation.create') }),
      ...{ done: 201, again: 201 },
    };
  },
  async 'accepting an invitation to an organization'() {
    const { person, invitation } = await invitedUser();
    return {
      act: (instance) =>
        outcomeOf(browserOf(person, instance).post(`/auth/invitations/${invitation.id}/accept`)),
      facts: () => factsOf(person),
      change: (before) => ({
        ...{ memberships: 'admin', offers_accepted: 1, offers_open: 0 },
        ...more(before, 'organization_invitation.accept'),
      }),
      ...{ done: 200, again: 410 },
    };
  },
  async 'accepting an invitation link to an organization'() {
    const { organization, admin, person } = await invitedUser();
    const { token } = (await inviteTo(admin.browser, organization)).body;
    return {
      act: (instance) => outcomeOf(browserOf(person, instance).post('/auth/invitations/accept', { token })),
      facts: () => factsOf(person),
      change: (before) => ({
        ...{ memberships: 'user', offers_accepted: 1 },
        ...more(before, 'organization_invitation.accept'),
      }),
      ...{ done: 200, again: 410 },
    };
  },
  async 'declining an invitation to an organization'() {
    const { person, invitation } = await invitedUser();
    return {
      act: (instance) =>
        outcomeOf(browserOf(person, instance).post(`/auth/invitations/${invitation.id}/decline`)),
      facts: () => factsOf(person),
      change: (before) => ({ offers_open: 0, ...more(before, 'organization_invitation.decline') }),
      ...{ done: 204, again: 204 },
    };
  },
  async 'revoking an invitation to an organization'() {
    const { organization, admin, invitation } = await invitedUser();
    return {
      act: (instance) =>
        outcomeOf(
          browserOf(admin, instance).delete(
            `/auth/organizations/${organization.id}/invitations/${invitation.id}`,
          ),
        ),
      facts: () => factsOf(admin),
      change: (before) => ({ offers_made: 0, ...more(before, 'organization_invitation.revoke') }),
      ...{ done: 204, again: 204 },
    };
  },
  async 'changing a member’s role'() {
    const admin = await signUpAs(service, 'admin');
    const organization = await found(admin.browser);
    const person = await signUpMember(service, admin.browser, organization);
    return {
      act: (instance) =>
        outcomeOf(browserOf(admin, instance).patch(memberPath(organization, person), { role: 'admin' })),
      facts: () => factsOf(person),
      change: (before) => ({ memberships: 'admin', ...more(before, 'member.change_role') }),
      ...{ done: 200, again: 200 },
    };
  },
  async 'removing a member'() {
    const admin = await signUpAs(service, 'admin');
    const organization = await found(admin.browser);
    const person = await signUpMember(service, admin.browser, organization, 'admin');
    await inviteTo(person.browser, organization);
    return {
      act: (instance) => outcomeOf(browserOf(admin, instance).delete(memberPath(organization, person))),
      facts: () => factsOf(person),
      change: (before) => ({ memberships: null, offers_made: 0, ...more(before, 'member.remove') }),
      ...{ done: 204, again: 404 },
    };
  },
};

describeBroken(acts, () => ({ service, broken }));
