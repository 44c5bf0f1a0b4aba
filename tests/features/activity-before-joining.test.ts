import type { AuditEvent } from 'latchkey';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { logIn, type Person, signUp, stepUp, userIdOf } from '../support/person.ts';
import { startSecondInstance } from '../support/second-instance.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { setRole } from './support/accounts.ts';
import {
  type AuditQuery,
  exportAudit,
  type GivenEvent,
  idsOn,
  insertEvents,
  listAudit,
  readsBatch,
  setJoined,
  walkAudit,
} from './support/activity.ts';
import {
  auditPath,
  found,
  inviteTo,
  leaveOrganization,
  organizationsPath,
  signUpAs,
  signUpMember,
} from './support/authority.ts';

let service: TestService;
let superadmin: Person;
beforeAll(async () => {
  service = await startTestService();
  superadmin = await signUpAs(service, 'superadmin');
});
afterAll(() => service.close());

const [before, joining, after] = [
  '2001-01-01T00:00:00.000Z',
  '2001-01-02T00:00:00.123456Z',
  '2001-01-03T00:00:00.000Z',
] as const;
const long = { to: '2002-01-01T00:00:00Z', limit: 200 };

async function adminOfOrganization() {
  const admin = await signUpAs(service, 'admin');
  return { admin, organization: await found(admin.browser) };
}

/** Signs up a user and makes them a member. Their time of joining is `at`. */
async function memberSince(organization: { id: string }, at: string = joining): Promise<Person> {
  const person = await signUp(service);
  await setJoined(service, organization, person, at);
  return person;
}

/** Returns every event that the user sees. Expects the list and an export to show the same events. */
async function seenBy({ browser }: Person, filter: AuditQuery = {}): Promise<AuditEvent[]> {
  const { events } = await walkAudit(browser, { limit: 200, ...filter });
  const exported = (await exportAudit(browser, filter)).events.filter(
    ({ event }) => event !== 'audit.export',
  );
  expect(exported.toReversed()).toEqual(events.filter(({ event }) => event !== 'audit.export'));
  return events;
}

async function readDatabaseClock(): Promise<string> {
  const [now] = await service.database.sql<{ at: string }[]>`select latchkey.clock()::text as at`;
  return `${now?.at}`;
}

const namesOf = (events: AuditEvent[]) => events.map(({ event }) => event);
const idsOf = (events: AuditEvent[]) => events.map(({ id }) => id);
const rename = ({ browser }: Person, { id }: { id: string }) =>
  browser.patch(`${organizationsPath}/${id}`, { name: 'Renamed' });

describe('events outside the organization:', () => {
  test('an admin does not see where and with which browser a member signs in', async () => {
    const { admin, organization } = await adminOfOrganization();
    const member = await signUpMember(service, admin.browser, organization);
    const headers = { 'User-Agent': 'A distinct browser' };
    const browser = service.browser();
    const { options } = (await browser.post('/auth/passkey/login/start', {})).body;
    const credential = await member.authenticator.get(options);
    expect((await browser.post('/auth/passkey/login/verify', { credential }, headers)).status).toBe(200);
    await stepUp(member.browser, member.authenticator);

    const filters = [{}, { actorId: userIdOf(member) }, { event: 'passkey.' }, { event: 'account.' }];
    for (const filter of filters) {
      const whole = JSON.stringify(await seenBy(admin, filter));
      for (const secret of ['passkey.', 'account.', headers['User-Agent']])
        expect(whole).not.toContain(secret);
    }
    const signIns = await seenBy(superadmin, { actorId: userIdOf(member), event: 'passkey.login' });
    expect(signIns).toMatchObject([{ userAgent: headers['User-Agent'], ip: '127.0.0.1' }]);
  });

  test('an admin does not see recovery attempts on a member’s account', async () => {
    const { admin, organization } = await adminOfOrganization();
    const member = await signUpMember(service, admin.browser, organization);
    const guess = { username: member.username, code: '22222-22222-22222-22222' };
    await service.browser().post('/auth/recovery/codes/use', guess);
    const about = { targetId: userIdOf(member), event: 'recovery_code.use' };
    expect(await seenBy(superadmin, about)).toHaveLength(1);
    expect(await seenBy(admin, about)).toEqual([]);
  });

  test('an admin does not see their own sign-ins and exports', async () => {
    const { admin } = await adminOfOrganization();
    await logIn(service.browser(), admin.authenticator);
    await admin.browser.get(`${auditPath}/export`);
    expect(namesOf(await seenBy(admin))).toEqual(['organization.create']);
  });

  test('an admin does not see that a superadmin disables a member, even if the superadmin is also a member', async () => {
    const { admin, organization } = await adminOfOrganization();
    const member = await signUpMember(service, admin.browser, organization);
    const otherSuperadmin = await signUpMember(service, admin.browser, organization);
    await setRole(service, otherSuperadmin, 'superadmin');
    await otherSuperadmin.browser.post(`/auth/admin/users/${userIdOf(member)}/disable`);
    await rename(otherSuperadmin, organization);
    expect(
      namesOf(await seenBy(superadmin, { actorId: userIdOf(otherSuperadmin), event: 'user.' })),
    ).toHaveLength(1);
    const seen = await seenBy(admin, { actorId: userIdOf(otherSuperadmin) });
    expect(namesOf(seen)).toContain('organization.update');
    expect(seen.filter(({ organizationId }) => organizationId !== organization.id)).toEqual([]);
  });
});

describe('the time of joining:', () => {
  test('an admin does not see what a member did before joining', async () => {
    const { admin, organization } = await adminOfOrganization();
    const person = await signUp(service);
    // The rejected attempt of a user who is not a member is an event of the organization.
    expect((await rename(person, organization)).status).toBe(404);
    const of = { actorId: userIdOf(person) };
    expect(namesOf(await seenBy(admin, of))).toEqual(['organization.update']);
    await service.turnClock({ minutes: 1 });
    await setJoined(service, organization, person, await readDatabaseClock());
    expect(await seenBy(admin, of)).toEqual([]);
    expect(namesOf(await seenBy(admin))).toEqual(['organization.create']);
    expect((await rename(person, organization)).status).toBe(403);
    expect(namesOf(await seenBy(admin, of))).toEqual(['organization.update']);
    expect(namesOf(await seenBy(superadmin, of))).toEqual([
      'organization.update',
      'organization.update',
      'account.signup',
    ]);
  });

  test('an admin sees the events whose time is exactly the time of joining', async () => {
    const { admin, organization } = await adminOfOrganization();
    const member = await signUpMember(service, admin.browser, organization);
    const atJoining = await service.database.sql<{ id: string }[]>`
      select audit_events.id from latchkey.audit_events
      join latchkey.memberships
        on memberships.organization_id = audit_events.organization_id and memberships.joined_at = audit_events.at
      where audit_events.organization_id = ${organization.id} and memberships.user_id = ${userIdOf(member)}`;
    expect(atJoining).not.toEqual([]);
    const seen = idsOf(await seenBy(admin));
    for (const { id } of atJoining) expect(seen).toContain(id);
  });

  test('an admin sees a member’s event at the exact microsecond of joining, but no event one microsecond earlier', async () => {
    const { admin, organization } = await adminOfOrganization();
    const member = await memberSince(organization);
    const common = { organizationId: organization.id, actorId: userIdOf(member) };
    const [, at, later] = await insertEvents(service, [
      { ...common, at: '2001-01-02T00:00:00.123455Z' },
      { ...common, at: joining },
      { ...common, at: '2001-01-02T00:00:00.123457Z' },
    ]);
    expect(await idsOn(admin.browser, long)).toEqual([later, at]);
  });

  test('an admin does not see an event if its actor or target joined after the event', async () => {
    const { admin, organization } = await adminOfOrganization();
    const [early, late, never] = [
      await memberSince(organization, before),
      await memberSince(organization, after),
      await signUp(service),
    ];
    const joinedAt = new Map([
      [userIdOf(early), before],
      [userIdOf(late), after],
    ]);
    const ids = [null, ...[early, late, never].map(userIdOf)];
    const given: GivenEvent[] = [before, joining, after].flatMap((at) =>
      ids.flatMap((actorId) =>
        ids.flatMap((targetId) =>
          ['user', 'passkey'].map((targetType) => ({
            ...{ at, actorId, targetId, targetType },
            organizationId: organization.id,
          })),
        ),
      ),
    );
    const written = await insertEvents(service, given);
    const expected = written.filter((_, index) => {
      const { at = '', actorId, targetId, targetType } = given[index] ?? {};
      const users = [actorId, targetType === 'user' ? targetId : null];
      return users.every((id) => id == null || at >= (joinedAt.get(id) ?? ''));
    });
    expect(idsOf(await seenBy(admin, { to: long.to })).toSorted()).toEqual(expected.toSorted());
    expect(expected.length).toBeLessThan(written.length);
    for (const id of [early, late, never].map(userIdOf)) {
      for (const [filter, column] of [
        ['actorId', 'actorId'],
        ['targetId', 'targetId'],
      ] as const) {
        const shown = idsOf(await seenBy(admin, { [filter]: id, to: long.to }));
        const about = written.filter((_, index) => given[index]?.[column] === id);
        expect(shown.toSorted()).toEqual(about.filter((one) => expected.includes(one)).toSorted());
      }
    }
  });

  test('an admin sees an event whose target is not a user, even if the target’s id is not a UUID', async () => {
    const { admin, organization } = await adminOfOrganization();
    const common = { organizationId: organization.id, at: before };
    const written = await insertEvents(service, [
      { ...common, targetType: 'session', targetId: 'an id of another kind' },
      { ...common, targetType: 'organization', targetId: organization.id },
    ]);
    expect((await idsOn(admin.browser, long)).toSorted()).toEqual(written.toSorted());
  });

  test('if an admin and a member belong to the same two organizations, each organization uses its own time of joining', async () => {
    const { admin, organization } = await adminOfOrganization();
    const second = await found(admin.browser);
    const member = await memberSince(organization, before);
    await setJoined(service, second, member, after);
    const given = [organization, second].flatMap(({ id }) =>
      [before, joining, after].map((at) => ({ at, organizationId: id, actorId: userIdOf(member) })),
    );
    const [a, b, c, , , f] = await insertEvents(service, given);
    const expected = [a, b, c, f].toSorted();
    expect(idsOf(await seenBy(admin, { to: long.to })).toSorted()).toEqual(expected);
    expect(idsOf(await seenBy(admin, { to: long.to, actorId: userIdOf(member) })).toSorted()).toEqual(
      expected,
    );
    expect(idsOf(await seenBy(admin, { to: long.to, organizationId: second.id }))).toEqual([f]);
  });

  test('when a member has left and joined again, an admin sees only the member’s events since the last joining', async () => {
    const { admin, organization } = await adminOfOrganization();
    const member = await signUpMember(service, admin.browser, organization);
    await rename(member, organization);
    await leaveOrganization(member.browser, organization);
    const about = async () => {
      const isAbout = ({ actor, target }: AuditEvent) => [actor.id, target?.id].includes(userIdOf(member));
      return namesOf((await seenBy(admin)).filter(isAbout));
    };
    const history = await about();
    expect(history.slice(0, 2)).toEqual(['member.leave', 'organization.update']);
    await service.turnClock({ minutes: 1 });
    await setJoined(service, organization, member, await readDatabaseClock());
    expect(await about()).toEqual([]);
    await rename(member, organization);
    expect(await about()).toEqual(['organization.update']);
  });
});

describe('an admin sees the events', () => {
  test('of former members, of operators, and of users who never joined, such as superadmins', async () => {
    const { admin, organization } = await adminOfOrganization();
    const leaving = await signUpMember(service, admin.browser, organization);
    await rename(leaving, organization);
    await leaveOrganization(leaving.browser, organization);
    await rename(superadmin, organization);
    const stranger = await signUp(service);
    await rename(stranger, organization);
    await service.database.sql`
      insert into latchkey.audit_events (id, at, event, outcome, actor_type, actor_name, organization_id, details)
      values (gen_random_uuid(), latchkey.clock(), 'organization.update', 'success', 'operator', 'ops',
        ${organization.id}, '{}')`;
    const seen = await seenBy(admin);
    const named = seen.map(({ actor, event }) => [actor.name, event]);
    expect(named.slice(0, 5)).toEqual([
      ['ops', 'organization.update'],
      [stranger.username, 'organization.update'],
      [superadmin.username, 'organization.update'],
      [leaving.username, 'member.leave'],
      [leaving.username, 'organization.update'],
    ]);
    expect(named.at(-1)).toEqual([admin.username, 'organization.create']);
  });

  test('of deleted users', async () => {
    const { admin, organization } = await adminOfOrganization();
    const member = await signUpMember(service, admin.browser, organization);
    await rename(member, organization);
    expect((await member.browser.delete('/auth/account')).status).toBe(204);
    expect(namesOf(await seenBy(admin, { actorId: userIdOf(member) }))).toContain('organization.update');
  });
});

test('an admin who invites a user by name does not learn where and with which browser the user declines', async () => {
  const { admin, organization } = await adminOfOrganization();
  const [declining, joined] = [
    await signUp(service),
    await signUpMember(service, admin.browser, organization),
  ];
  await inviteTo(admin.browser, organization, { username: declining.username });
  const [invitation] = (await declining.browser.get('/auth/invitations')).body.invitations;
  expect((await declining.browser.post(`/auth/invitations/${invitation.id}/decline`)).status).toBe(204);

  const events = await seenBy(admin, { organizationId: organization.id });
  const [declined] = events.filter(({ event }) => event === 'organization_invitation.decline');
  expect(declined).toMatchObject({
    actor: { id: userIdOf(declining) },
    ip: null,
    userAgent: null,
    requestId: null,
  });
  const [accepted] = events.filter(({ event }) => event === 'organization_invitation.accept');
  expect(accepted).toMatchObject({ actor: { id: userIdOf(joined) }, ip: '127.0.0.1', userAgent: 'node' });
  expect(
    (await seenBy(superadmin, { organizationId: organization.id })).every(({ ip }) => ip === '127.0.0.1'),
  ).toBe(true);
});

describe('hidden events', () => {
  test('neither shorten a page nor end the list early', async () => {
    const { admin, organization } = await adminOfOrganization();
    const late = await memberSince(organization, '2001-06-01T00:00:00Z');
    // One hidden event and a visible one, then two hidden events and a visible one, and so on.
    const isHidden = Array.from({ length: 12 }, (_, run) => [...Array(run + 1).fill(true), false]).flat();
    const given = isHidden.map((hidden, n) => ({
      at: new Date(Date.parse(before) + n * 60_000).toISOString(),
      organizationId: organization.id,
      actorId: hidden ? userIdOf(late) : null,
    }));
    const ids = await insertEvents(service, given);
    const visible = ids.filter((_, n) => !isHidden[n]).toReversed();
    for (const limit of [1, 2, 5, 11, 12, 13]) {
      const sizes: number[] = [];
      const shown: string[] = [];
      for (let cursor: string | undefined; ; ) {
        const { body } = await listAudit(admin.browser, { ...long, limit, cursor });
        sizes.push(body.events.length);
        shown.push(...idsOf(body.events));
        if (body.nextCursor === null) break;
        cursor = body.nextCursor;
      }
      expect(shown).toEqual(visible);
      expect(sizes.slice(0, -1)).toEqual(Array(Math.ceil(12 / limit) - 1).fill(limit));
    }
  });

  test('stay hidden when one of their ids is used as a cursor', async () => {
    const { admin, organization } = await adminOfOrganization();
    const late = await memberSince(organization, after);
    const ids = await insertEvents(
      service,
      [before, joining, before].map((at, n) => ({
        at,
        organizationId: organization.id,
        actorId: n < 2 ? userIdOf(late) : null,
      })),
    );
    const cursor = Buffer.from(`${ids[1]}`).toString('base64url');
    const { body } = await listAudit(admin.browser, { ...long, cursor });
    expect(idsOf(body.events)).toEqual([ids[2]]);
  });

  test('include a user’s earlier events from the moment the user joins, even in a running export', async () => {
    const { admin, organization } = await adminOfOrganization();
    const former = await signUp(service);
    await service.database.sql`
      insert into latchkey.audit_events (id, at, event, outcome, actor_type, actor_id, organization_id, details)
      select gen_random_uuid(), ${before}::timestamptz + n * interval '1 second', 'organization.update', 'success',
        'user', case when n % 2 = 0 then ${userIdOf(former)}::uuid end, ${organization.id}, '{}'
      from generate_series(1, 3000) as n`;
    let read = 0;
    const instance = await startSecondInstance(service, {}, async (statement) => {
      if (readsBatch.test(statement) && ++read === 2) await setJoined(service, organization, former, after);
    });
    try {
      const { events } = await exportAudit(instance.browser(admin.browser.cookies), { to: long.to });
      const theirs = events.flatMap(({ actor }, n) => (actor.id === userIdOf(former) ? [n] : []));
      expect(theirs).toHaveLength(500);
      expect(theirs.at(-1)).toBeLessThan(1000);
      expect(events).toHaveLength(1000 + 1000);
    } finally {
      await instance.close();
    }
  });
});

test('an admin who filters by a user or organization outside their own organizations gets an empty page', async () => {
  const { admin } = await adminOfOrganization();
  const other = await adminOfOrganization();
  const stranger = await signUp(service);
  for (const filter of [
    { actorId: userIdOf(stranger) },
    { targetId: userIdOf(stranger) },
    { actorId: userIdOf(other.admin) },
    { organizationId: other.organization.id },
    { actorId: userIdOf(admin), organizationId: other.organization.id },
  ]) {
    expect(await listAudit(admin.browser, filter)).toMatchObject({
      status: 200,
      body: { events: [], nextCursor: null },
    });
  }
});
