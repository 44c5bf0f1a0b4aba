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

/** An admin with an organization, and users who belong to it in every way. */
async function foundSociety() {
  const [admin, otherAdmin] = [await signUpAs(service, 'admin'), await signUpAs(service, 'admin')];
  const [organization, other] = [await found(admin.browser), await found(otherAdmin.browser)];
  const member = await signUpMember(service, admin.browser, organization);
  const both = await signUpMember(service, admin.browser, organization);
  await setJoined(service, other, both, '2001-01-01T00:00:00Z');
  const colleague = await signUpMember(service, admin.browser, organization);
  await setRole(service, colleague, 'admin');
  const ruler = await signUpMember(service, admin.browser, organization, 'admin');
  await setRole(service, ruler, 'superadmin');
  const stranger = await signUp(service);
  return { admin, colleague, otherAdmin, organization, other, member, both, ruler, stranger };
}
type Society = Awaited<ReturnType<typeof foundSociety>>;

const seenBy = async ({ browser }: Person): Promise<AuditEvent[]> =>
  (await walkAudit(browser, { limit: 200 })).events;

test('a superadmin sees every event there is', async () => {
  await foundSociety();
  const rows = await service.database.sql<{ id: string }[]>`
    select id from latchkey.audit_events order by at desc, id desc`;
  expect((await seenBy(superadmin)).map(({ id }) => id)).toEqual(rows.map(({ id }) => id));
});

test('an admin sees what happened in their organizations, and nothing else', async () => {
  const society = await foundSociety();
  const { admin, organization, other, member, both, colleague } = society;
  const second = await found(admin.browser);
  const guest = await signUpMember(service, admin.browser, second);
  const people = [admin, colleague, member, both, society.ruler, society.otherAdmin, society.stranger, guest];
  const ids = [null, ...people.map(userIdOf)];
  const given = [null, organization.id, second.id, other.id].flatMap((organizationId) =>
    ids.flatMap((actorId) =>
      // Later than everyone has joined.
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
    (await listAudit(admin.browser, { actor: userIdOf(actor) })).body.events.map(
      ({ event }: AuditEvent) => event,
    );

  test('what a superadmin does who is a member, except in the organization', async () => {
    const { admin, organization, member, ruler, stranger } = await foundSociety();
    await logIn(service.browser(), ruler.authenticator);
    await changeRole(ruler.browser, stranger, 'admin');
    await ruler.browser.get(`${auditPath}/export`);
    await disable(ruler.browser, member);
    await enable(ruler.browser, member);
    await ruler.browser.patch(`${organizationsPath}/${organization.id}`, { name: 'Renamed' });
    const all = await eventsOf(superadmin, ruler);
    expect(all).toEqual(
      expect.arrayContaining(['passkey.login', 'user.change_role', 'audit.export', 'user.disable']),
    );
    const seen = await eventsOf(admin, ruler);
    expect(seen[0]).toBe('organization.update');
    expect(seen.filter((event) => !/^(organization|member|organization_invitation)\./.test(event))).toEqual(
      [],
    );
  });

  test('what is tried at a superadmin who is a member', async () => {
    const { admin, ruler } = await foundSociety();
    const guess = { username: ruler.username, code: '22222-22222-22222-22222' };
    const answer = await service.browser().post('/auth/recovery/codes/use', guess);
    expect(await wholeAuditRowsOf(service, answer)).toMatchObject([{ target_id: userIdOf(ruler) }]);
    expect(await idsOn(admin.browser, { event: 'recovery_code.use' })).toEqual([]);
  });

  test('what a member does in another organization', async () => {
    const { admin, otherAdmin, other, both } = await foundSociety();
    await both.browser.delete(memberPath(other, both));
    expect(await eventsOf(otherAdmin, both)).toContain('member.leave');
    expect(await eventsOf(admin, both)).not.toContain('member.leave');
  });

  test('a stranger, whichever way they ask', async () => {
    const { admin, stranger, other } = await foundSociety();
    for (const filter of [
      { actor: userIdOf(stranger) },
      { target: userIdOf(stranger) },
      { organization: other.id },
      { actor: userIdOf(superadmin) },
    ]) {
      expect((await listAudit(admin.browser, filter)).body).toEqual({ events: [], nextCursor: null });
    }
  });

  test('anything, where they are an admin of no organization', async () => {
    const { colleague } = await foundSociety();
    const alone = await signUpAs(service, 'admin');
    for (const { browser } of [colleague, alone]) {
      expect((await listAudit(browser)).body).toEqual({ events: [], nextCursor: null });
      const { answer, events } = await exportAudit(browser);
      expect([answer.status, events]).toEqual([200, []]);
    }
  });
});

describe('who may not look', () => {
  test.each([
    ['audit.list', () => auditPath],
    ['audit.export', () => exportPath],
  ])('is refused, and so it is written down: %s', async (event, path) => {
    const society = await foundSociety();
    // An admin of an organization, and in the service an ordinary user.
    const local = await signUpMember(service, society.admin.browser, society.organization, 'admin');
    for (const person of [society.member, local]) {
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

  test('is refused without a row where nobody is signed in, or only to recover', async () => {
    const { browser } = await startRecovering(service);
    const before = (await service.auditRows()).length;
    for (const path of [auditPath, exportPath]) {
      expectProblem(await service.browser().get(path), 'not_authenticated');
      expectProblem(await browser.get(path), 'recovery_session');
    }
    expect(await service.auditRows()).toHaveLength(before);
  });

  test('has looked without a trace where they may', async () => {
    const { admin } = await foundSociety();
    const before = (await service.auditRows()).length;
    for (const { browser } of [admin, superadmin]) await listAudit(browser);
    expect(await service.auditRows()).toHaveLength(before);
  });
});

describe('from the next request on, on every instance,', () => {
  const member = (society: Society, person: Person) => memberPath(society.organization, person);
  const nothing = { events: [], nextCursor: null };

  test.each<[name: string, change: (society: Society) => Promise<unknown>, answer: object]>([
    [
      'nothing, once they are no admin of the organization',
      (society) => society.ruler.browser.patch(member(society, society.admin), { role: 'user' }),
      { status: 200, body: nothing },
    ],
    [
      'nothing, once they are no member of it',
      (society) => society.admin.browser.delete(member(society, society.admin)),
      { status: 200, body: nothing },
    ],
    [
      'nothing, once it is deleted',
      (society) => society.admin.browser.delete(`${organizationsPath}/${society.organization.id}`),
      { status: 200, body: nothing },
    ],
    [
      'a refusal, once they are a user',
      (society) => changeRole(superadmin.browser, society.admin, 'user'),
      { status: 403, body: { code: 'forbidden' } },
    ],
    [
      'a refusal, once they are disabled',
      (society) => disable(superadmin.browser, society.admin),
      { status: 401, body: { code: 'not_authenticated' } },
    ],
  ])('an admin gets %s', async (_, change, answer) => {
    const society = await foundSociety();
    const { cookies } = society.admin.browser;
    const instance = await startSecondInstance(service);
    try {
      const browsers = [service.browser, instance.browser].map((newBrowser) => newBrowser(cookies));
      for (const browser of browsers) {
        for (const [name, value] of cookies) browser.cookies.set(name, value);
        expect(await idsOn(browser)).not.toEqual([]);
      }
      await change(society);
      for (const browser of browsers) expect(await listAudit(browser)).toMatchObject(answer);
    } finally {
      await instance.close();
    }
  });

  test('an admin still sees what a member did in the organization once that member has left', async () => {
    const society = await foundSociety();
    const { admin, member: leaving } = society;
    const namesAbout = async () =>
      (await seenBy(admin))
        .filter(({ actor, target }) => [actor.id, target?.id].includes(userIdOf(leaving)))
        .map(({ event }) => event);
    const joined = await namesAbout();
    expect(joined).not.toEqual([]);
    await leaving.browser.delete(member(society, leaving));
    expect(await namesAbout()).toEqual(['member.leave', ...joined]);
  });

  test('an admin who becomes a superadmin sees everything', async () => {
    const { admin, stranger } = await foundSociety();
    expect(await idsOn(admin.browser, { actor: userIdOf(stranger) })).toEqual([]);
    await setRole(service, admin, 'superadmin');
    expect(await idsOn(admin.browser, { actor: userIdOf(stranger) })).toHaveLength(1);
  });
});
