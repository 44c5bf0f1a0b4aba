import type { AuditEvent } from 'latchkey';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { logIn, type Person, signUp, userIdOf } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { startSecondInstance } from '../support/second-instance.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { setRole } from './support/accounts.ts';
import {
  exportAudit,
  exportPath,
  idsOn,
  insertEvents,
  listAudit,
  setJoined,
  walkAudit,
} from './support/activity.ts';
import { wholeAuditRowsOf } from './support/audit-log.ts';
import {
  auditPath,
  changeRole,
  disable,
  enable,
  found,
  leaveOrganization,
  memberPath,
  organizationsPath,
  signUpAs,
  signUpMember,
} from './support/authority.ts';
import { startRecovering } from './support/recovery.ts';

let service: TestService;
let superadmin: Person;
beforeAll(async () => {
  service = await startTestService();
  superadmin = await signUpAs(service, 'superadmin');
});
afterAll(() => service.close());

/** Creates two organizations, with admins, members of one or both, and users who belong to neither. */
async function createOrganizations() {
  const [admin, otherAdmin] = [await signUpAs(service, 'admin'), await signUpAs(service, 'admin')];
  const [organization, other] = [await found(admin.browser), await found(otherAdmin.browser)];
  const member = await signUpMember(service, admin.browser, organization);
  const both = await signUpMember(service, admin.browser, organization);
  await setJoined(service, other, both, '2001-01-01T00:00:00Z');
  const colleague = await signUpMember(service, admin.browser, organization);
  await setRole(service, colleague, 'admin');
  const otherSuperadmin = await signUpMember(service, admin.browser, organization, 'admin');
  await setRole(service, otherSuperadmin, 'superadmin');
  const stranger = await signUp(service);
  return { admin, colleague, otherAdmin, organization, other, member, both, otherSuperadmin, stranger };
}
type Organizations = Awaited<ReturnType<typeof createOrganizations>>;

const seenBy = async ({ browser }: Person): Promise<AuditEvent[]> =>
  (await walkAudit(browser, { limit: 200 })).events;

test('a superadmin sees every event', async () => {
  await createOrganizations();
  const rows = await service.database.sql<{ id: string }[]>`
    select id from latchkey.audit_events order by at desc, id desc`;
  expect((await seenBy(superadmin)).map(({ id }) => id)).toEqual(rows.map(({ id }) => id));
});

test('an admin sees the events of their organizations, and no others', async () => {
  const organizations = await createOrganizations();
  const { admin, organization, other, member, both, colleague } = organizations;
  const second = await found(admin.browser);
  const guest = await signUpMember(service, admin.browser, second);
  const people = [
    admin,
    colleague,
    member,
    both,
    organizations.otherSuperadmin,
    organizations.otherAdmin,
    organizations.stranger,
    guest,
  ];
  const ids = [null, ...people.map(userIdOf)];
  const given = [null, organization.id, second.id, other.id].flatMap((organizationId) =>
    ids.flatMap((actorId) =>
      // At this time, all members have joined.
      ids.map((targetId) => ({ at: '2101-01-01T00:00:00Z', organizationId, actorId, targetId })),
    ),
  );
  const written = await insertEvents(service, given);
  const expected = written.filter((_, index) =>
    [organization.id, second.id].includes(given[index]?.organizationId ?? ''),
  );
  const { events } = await walkAudit(admin.browser, { limit: 50, from: '2101-01-01T00:00:00Z' });
  expect(events.map(({ id }) => id).sort()).toEqual(expected.sort());
  expect(expected.length).toBeLessThan(written.length);
});

describe('an admin does not see', () => {
  const eventsOf = async (admin: Person, actor: Person): Promise<string[]> =>
    (await listAudit(admin.browser, { actorId: userIdOf(actor) })).body.events.map(
      ({ event }: AuditEvent) => event,
    );

  test('the events of a superadmin outside the organization, even if the superadmin is a member', async () => {
    const { admin, organization, member, otherSuperadmin, stranger } = await createOrganizations();
    await logIn(service.browser(), otherSuperadmin.authenticator);
    await changeRole(otherSuperadmin.browser, stranger, 'admin');
    await otherSuperadmin.browser.get(`${auditPath}/export`);
    await disable(otherSuperadmin.browser, member);
    await enable(otherSuperadmin.browser, member);
    await otherSuperadmin.browser.patch(`${organizationsPath}/${organization.id}`, { name: 'Renamed' });
    const all = await eventsOf(superadmin, otherSuperadmin);
    expect(all).toEqual(
      expect.arrayContaining(['passkey.login', 'user.change_role', 'audit.export', 'user.disable']),
    );
    const seen = await eventsOf(admin, otherSuperadmin);
    expect(seen[0]).toBe('organization.update');
    expect(seen.filter((event) => !/^(organization|member|organization_invitation)\./.test(event))).toEqual(
      [],
    );
  });

  test('recovery attempts on the account of a superadmin who is a member', async () => {
    const { admin, otherSuperadmin } = await createOrganizations();
    const guess = { username: otherSuperadmin.username, code: '22222-22222-22222-22222' };
    const answer = await service.browser().post('/auth/recovery/codes/use', guess);
    expect(await wholeAuditRowsOf(service, answer)).toMatchObject([{ target_id: userIdOf(otherSuperadmin) }]);
    expect(await idsOn(admin.browser, { event: 'recovery_code.use' })).toEqual([]);
  });

  test('the events of a member in another organization', async () => {
    const { admin, otherAdmin, other, both } = await createOrganizations();
    await leaveOrganization(both.browser, other);
    expect(await eventsOf(otherAdmin, both)).toContain('member.leave');
    expect(await eventsOf(admin, both)).not.toContain('member.leave');
  });

  test('events outside the admin’s organizations, even if the filter names a user or organization outside them', async () => {
    const { admin, stranger, other } = await createOrganizations();
    for (const filter of [
      { actorId: userIdOf(stranger) },
      { targetId: userIdOf(stranger) },
      { organizationId: other.id },
      { actorId: userIdOf(superadmin) },
    ]) {
      expect((await listAudit(admin.browser, filter)).body).toEqual({ events: [], nextCursor: null });
    }
  });

  test('any event if they are not an organization admin (the account role `admin` is not enough)', async () => {
    const { colleague } = await createOrganizations();
    const alone = await signUpAs(service, 'admin');
    for (const { browser } of [colleague, alone]) {
      expect((await listAudit(browser)).body).toEqual({ events: [], nextCursor: null });
      const { answer, events } = await exportAudit(browser);
      expect([answer.status, events]).toEqual([200, []]);
    }
  });
});

describe('reading the log', () => {
  test.each([
    ['audit.list', () => auditPath],
    ['audit.export', () => exportPath],
  ])('by users without the required role returns 403 and writes a failed %s event', async (event, path) => {
    const organizations = await createOrganizations();
    // An organization admin whose account has the role `user`.
    const local = await signUpMember(
      service,
      organizations.admin.browser,
      organizations.organization,
      'admin',
    );
    for (const person of [organizations.member, local]) {
      const answer = await person.browser.get(`${path()}?event=nonsense`);
      expectProblem(answer, 'forbidden');
      expect(await wholeAuditRowsOf(service, answer)).toMatchObject([
        {
          event,
          outcome: 'failure',
          actor_type: 'user',
          actor_id: userIdOf(person),
          actor_name: person.username,
          target_type: null,
          organization_id: null,
          ip: '127.0.0.1',
          details: { reason: 'role_too_low' },
        },
      ]);
    }
  });

  test('is rejected without a session (no event is written) and in a recovery session (an event is written)', async () => {
    const { browser } = await startRecovering(service);
    const before = (await service.auditRows()).length;
    for (const path of [auditPath, exportPath]) {
      expectProblem(await service.browser().get(path), 'not_authenticated');
      expectProblem(await browser.get(path), 'recovery_session');
    }
    const details = { reason: 'recovery_session' };
    const rows = (await service.auditRows()).filter((row) => /^audit\./.test(row.event)).slice(-2);
    expect((await service.auditRows()).length).toBe(before + 2);
    expect(rows).toMatchObject([
      { event: 'audit.list', outcome: 'failure', details },
      { event: 'audit.export', outcome: 'failure', details },
    ]);
  });

  test('writes no audit event when an allowed user lists events', async () => {
    const { admin } = await createOrganizations();
    const before = (await service.auditRows()).length;
    for (const { browser } of [admin, superadmin]) await listAudit(browser);
    expect(await service.auditRows()).toHaveLength(before);
  });
});

describe('a change of access takes effect on the next request, on every instance:', () => {
  const member = (organizations: Organizations, person: Person) =>
    memberPath(organizations.organization, person);
  const nothing = { events: [], nextCursor: null };

  test.each<[name: string, change: (organizations: Organizations) => Promise<unknown>, answer: object]>([
    [
      'no events after losing the role of organization admin',
      (organizations) =>
        organizations.otherSuperadmin.browser.patch(member(organizations, organizations.admin), {
          role: 'user',
        }),
      { status: 200, body: nothing },
    ],
    [
      'no events after leaving the organization',
      (organizations) => organizations.admin.browser.delete(member(organizations, organizations.admin)),
      { status: 200, body: nothing },
    ],
    [
      'no events after deleting the organization',
      (organizations) =>
        organizations.admin.browser.delete(`${organizationsPath}/${organizations.organization.id}`),
      { status: 200, body: nothing },
    ],
    [
      '403 after getting the role `user`',
      (organizations) => changeRole(superadmin.browser, organizations.admin, 'user'),
      { status: 403, body: { code: 'forbidden' } },
    ],
    [
      '401 after being disabled',
      (organizations) => disable(superadmin.browser, organizations.admin),
      { status: 401, body: { code: 'not_authenticated' } },
    ],
  ])('an admin gets %s', async (_, change, answer) => {
    const organizations = await createOrganizations();
    const { cookies } = organizations.admin.browser;
    const instance = await startSecondInstance(service);
    try {
      const browsers = [service.browser, instance.browser].map((newBrowser) => newBrowser(cookies));
      for (const browser of browsers) {
        for (const [name, value] of cookies) browser.cookies.set(name, value);
        expect(await idsOn(browser)).not.toEqual([]);
      }
      await change(organizations);
      for (const browser of browsers) expect(await listAudit(browser)).toMatchObject(answer);
    } finally {
      await instance.close();
    }
  });

  test('an admin still sees what a former member did in the organization', async () => {
    const organizations = await createOrganizations();
    const { admin, member: leaving } = organizations;
    const namesAbout = async () =>
      (await seenBy(admin))
        .filter(({ actor, target }) => [actor.id, target?.id].includes(userIdOf(leaving)))
        .map(({ event }) => event);
    const joined = await namesAbout();
    expect(joined).not.toEqual([]);
    await leaveOrganization(leaving.browser, organizations.organization);
    expect(await namesAbout()).toEqual(['member.leave', ...joined]);
  });

  test('an admin who becomes a superadmin sees every event', async () => {
    const { admin, stranger } = await createOrganizations();
    expect(await idsOn(admin.browser, { actorId: userIdOf(stranger) })).toEqual([]);
    await setRole(service, admin, 'superadmin');
    expect(await idsOn(admin.browser, { actorId: userIdOf(stranger) })).toHaveLength(1);
  });
});
