import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { logIn, newAuthenticator, type Person, signUp, userIdOf } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { meet } from '../support/second-instance.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { auditRowsAbout, wholeAuditRowsOf } from './support/audit-log.ts';
import {
  admit,
  auditPath,
  changeRole,
  disable,
  found,
  help,
  leaveOrganization,
  memberPath,
  organizationsPath,
  signUpAs,
  signUpMember,
} from './support/authority.ts';
import { isSignedIn } from './support/current-session.ts';
import { setMembership } from './support/organizations.ts';
import {
  completeRecovery,
  enterByLink,
  linkRowsOf,
  prepareCompletion,
  recoverySessionsOf,
  useLink,
} from './support/recovery.ts';
import { reasonOfRefusal } from './support/refused-sign-in.ts';

let service: TestService;
let superadmin: Person;
beforeAll(async () => {
  service = await startTestService();
  superadmin = await signUpAs(service, 'superadmin');
});
afterAll(() => service.close());

/** Signs up an admin with an organization, and a member with the role user. */
async function adminAndMember() {
  const admin = await signUpAs(service, 'admin');
  const organization = await found(admin.browser);
  const member = await signUpMember(service, admin.browser, organization);
  return { admin, organization, member };
}
type Setting = Awaited<ReturnType<typeof adminAndMember>>;

describe('an admin', () => {
  test('can create a recovery link for a member with the role user, and the event is recorded with the organization', async () => {
    const { admin, organization, member } = await adminAndMember();
    const answer = await help(admin.browser, member);
    expect(answer.status).toBe(201);
    expect(await linkRowsOf(service, member)).toMatchObject([{ maker_id: userIdOf(admin) }]);
    expect(await wholeAuditRowsOf(service, answer)).toMatchObject([
      {
        event: 'recovery_link.create',
        outcome: 'success',
        actor_id: userIdOf(admin),
        target_type: 'user',
        target_id: userIdOf(member),
        target_name: member.username,
        organization_id: organization.id,
      },
    ]);
    const browser = service.browser();
    expect((await useLink(browser, answer.body.token)).body).toMatchObject({
      user: { id: userIdOf(member) },
      session: { kind: 'recovery', method: 'assisted_recovery' },
    });
  });

  test('cannot create a recovery link for a member who is an organization admin of this or another organization', async () => {
    const [{ admin, organization }, other] = [await adminAndMember(), await adminAndMember()];
    const manager = await signUpMember(service, admin.browser, organization, 'admin');
    const elsewhere = await signUpMember(service, admin.browser, organization);
    await setMembership(service, other.organization, elsewhere, 'admin');
    for (const person of [manager, elsewhere]) {
      const answer = await help(admin.browser, person);
      expectProblem(answer, 'forbidden');
      expect(await wholeAuditRowsOf(service, answer)).toMatchObject([
        { outcome: 'failure', target_id: userIdOf(person), details: { reason: 'no_plain_user' } },
      ]);
      expect(await linkRowsOf(service, person)).toEqual([]);
    }
    expectProblem(await help(manager.browser, admin), 'forbidden');
  });

  test('cannot create a recovery link for a member who also belongs to an organization of another admin', async () => {
    const [{ admin, member }, other] = [await adminAndMember(), await adminAndMember()];
    await setMembership(service, other.organization, member, 'user');
    const answer = await help(admin.browser, member);
    expectProblem(answer, 'forbidden');
    expect(await wholeAuditRowsOf(service, answer)).toMatchObject([
      { outcome: 'failure', target_id: userIdOf(member), details: { reason: 'not_of_their_organizations' } },
    ]);
    await setMembership(service, other.organization, admin, 'admin');
    expect((await help(admin.browser, member)).status).toBe(201);
  });

  test.each(['admin', 'superadmin'] as const)(
    'cannot create a recovery link for a member with the role %s, and the attempt is recorded',
    async (role) => {
      const { admin, organization } = await adminAndMember();
      const peer = await signUpAs(service, role);
      await admit(admin.browser, organization, peer);
      const answer = await help(admin.browser, peer);
      expectProblem(answer, 'forbidden');
      expect(await wholeAuditRowsOf(service, answer)).toMatchObject([
        {
          event: 'recovery_link.create',
          outcome: 'failure',
          actor_id: userIdOf(admin),
          target_id: userIdOf(peer),
          organization_id: organization.id,
          details: { reason: 'no_plain_user' },
        },
      ]);
      expect(await linkRowsOf(service, peer)).toEqual([]);
    },
  );

  test('cannot create a recovery link for their own account', async () => {
    const { admin } = await adminAndMember();
    expectProblem(await help(admin.browser, admin), 'forbidden');
  });

  test('gets 404 for users outside of the organizations that the admin manages', async () => {
    const [{ admin }, other] = [await adminAndMember(), await adminAndMember()];
    await admit(other.admin.browser, other.organization, admin);
    for (const stranger of [other.member, await signUp(service), superadmin]) {
      const answer = await help(admin.browser, stranger);
      expectProblem(answer, 'not_found');
      expect(await wholeAuditRowsOf(service, answer)).toMatchObject([
        { outcome: 'failure', target_name: null, details: { reason: 'not_of_their_organizations' } },
      ]);
      expect(await linkRowsOf(service, stranger)).toEqual([]);
    }
  });

  test('cannot create a recovery link for a disabled user', async () => {
    const { admin, member } = await adminAndMember();
    await disable(superadmin.browser, member);
    expectProblem(await help(admin.browser, member), 'account_disabled');
  });
});

const losses: [name: string, lose: (setting: Setting) => Promise<unknown>][] = [
  [
    'is demoted in the organization',
    async ({ admin, organization }) => {
      const successor = await signUpMember(service, admin.browser, organization, 'admin');
      expect((await successor.browser.patch(memberPath(organization, admin), { role: 'user' })).status).toBe(
        200,
      );
    },
  ],
  [
    'leaves the organization',
    async ({ admin, organization }) => {
      await signUpMember(service, admin.browser, organization, 'admin');
      expect((await leaveOrganization(admin.browser, organization)).status).toBe(204);
    },
  ],
  [
    'loses the member because the member leaves the organization',
    async ({ organization, member }) => {
      expect((await leaveOrganization(member.browser, organization)).status).toBe(204);
    },
  ],
  [
    'removes the member',
    async ({ admin, organization, member }) => {
      expect((await admin.browser.delete(memberPath(organization, member))).status).toBe(204);
    },
  ],
  [
    'deletes the organization',
    async ({ admin, organization }) => {
      expect((await admin.browser.delete(`${organizationsPath}/${organization.id}`)).status).toBe(204);
    },
  ],
  [
    'loses the right to help the member because the member is promoted to superadmin',
    async ({ member }) => {
      await changeRole(superadmin.browser, member, 'superadmin');
    },
  ],
  [
    'loses the right to help the member because the member is promoted to admin',
    async ({ member }) => {
      await changeRole(superadmin.browser, member, 'admin');
    },
  ],
  [
    'is demoted to user',
    async ({ admin }) => {
      await changeRole(superadmin.browser, admin, 'user');
    },
  ],
];

describe('a recovery link that an admin created', () => {
  test.each(losses)(
    'is not stored if, between the check and the statement, the admin %s',
    async (_, lose) => {
      const setting = await adminAndMember();
      let losing: Promise<unknown> | undefined;
      const { answer } = await meet(service, {
        before: /insert into latchkey\.recovery_links/,
        change: async () => {
          losing ??= lose(setting);
          await losing;
          return { count: 1 };
        },
        act: (instance) => help(instance.browser(setting.admin.browser.cookies), setting.member),
      });
      expect(losing).toBeDefined();
      expect([401, 403, 404]).toContain(answer.status);
      expect(await linkRowsOf(service, setting.member)).toEqual([]);
    },
  );

  test.each(losses)('is rejected after the admin %s', async (_, lose) => {
    const setting = await adminAndMember();
    const { token } = (await help(setting.admin.browser, setting.member)).body;
    await lose(setting);
    const reason = await reasonOfRefusal(service, await useLink(service.browser(), token));
    expect(['creator_no_longer_entitled', 'link_unknown_or_used']).toContain(reason);
    expect(await recoverySessionsOf(service, setting.member)).toEqual([]);
  });

  test.each(losses)(
    'is rejected if, between the read and the use of the link, the admin %s',
    async (_, lose) => {
      const setting = await adminAndMember();
      const { token } = (await help(setting.admin.browser, setting.member)).body;
      const { answer, changed } = await meet(service, {
        before: /update latchkey\.recovery_links/,
        change: async () => {
          await lose(setting);
          return { count: 1 };
        },
        act: (instance) => useLink(instance.browser(), token),
      });
      expect(changed).toBe(1);
      expect(['creator_no_longer_entitled', 'link_unknown_or_used']).toContain(
        await reasonOfRefusal(service, answer),
      );
      expect(await recoverySessionsOf(service, setting.member)).toEqual([]);
    },
  );

  test.each(losses)(
    'cannot complete a recovery if, after the link was used, the admin %s',
    async (_, lose) => {
      const setting = await adminAndMember();
      const browser = await enterByLink(
        service,
        (await help(setting.admin.browser, setting.member)).body.token,
      );
      const finish = await prepareCompletion(browser);
      await lose(setting);
      const answer = await finish();
      expect([401, 'not_authenticated', 'authentication_failed']).toEqual(
        expect.arrayContaining([answer.status, answer.body.code]),
      );
      expect(await auditRowsAbout(service, setting.member, 'recovery.complete')).not.toContainEqual(
        expect.objectContaining({ outcome: 'success' }),
      );
      expect((await logIn(service.browser(), setting.member.authenticator)).status).toBe(200);
    },
  );

  test.each(losses)('cannot complete a recovery if, during the completion, the admin %s', async (_, lose) => {
    const setting = await adminAndMember();
    const browser = await enterByLink(
      service,
      (await help(setting.admin.browser, setting.member)).body.token,
    );
    const finish = await prepareCompletion(browser);
    let losing: Promise<unknown> | undefined;
    const { answer, changed } = await meet(service, {
      before: /insert into latchkey\.passkeys/,
      change: async () => {
        // The change runs only once, even if the service sends the statement again.
        losing ??= lose(setting);
        await losing;
        return { count: 1 };
      },
      act: (instance) => finish(instance.browser(browser.cookies)),
    });
    expect(changed).toBeGreaterThan(0);
    expect(answer.status).toBe(401);
    expect((await logIn(service.browser(), setting.member.authenticator)).status).toBe(200);
  });

  test('works after the user leaves one organization if the admin manages another organization of the user', async () => {
    const { admin, organization, member } = await adminAndMember();
    await admit(admin.browser, await found(admin.browser), member);
    const { token } = (await help(admin.browser, member)).body;
    await leaveOrganization(member.browser, organization);
    expect((await useLink(service.browser(), token)).status).toBe(200);
  });
});

test('after a recovery with an admin’s link, all other sessions end, and the admin’s audit log shows only the creation of the link', async () => {
  const { admin, member } = await adminAndMember();
  const { token } = (await help(admin.browser, member)).body;
  const browser = service.browser();
  await useLink(browser, token);
  const authenticator = newAuthenticator();
  expect((await completeRecovery(browser, {}, authenticator)).status).toBe(201);
  expect(await isSignedIn(member.browser)).toBe(false);
  expect(await isSignedIn(admin.browser)).toBe(true);
  expectProblem(await useLink(service.browser(), token), 'authentication_failed');
  expect((await logIn(service.browser(), authenticator)).body.user.id).toBe(userIdOf(member));
  for (const event of ['recovery_link.create', 'recovery_link.use', 'recovery.complete']) {
    expect(await auditRowsAbout(service, member, event)).toMatchObject([{ outcome: 'success' }]);
    const seenBy = async ({ browser }: Person) =>
      (await browser.get(`${auditPath}?event=${event}&targetId=${userIdOf(member)}`)).body.events;
    const whole = [{ event, target: { id: userIdOf(member) } }];
    expect(await seenBy(superadmin)).toMatchObject(whole);
    // Only the creation of the link belongs to the organization's audit log.
    expect(await seenBy(admin)).toMatchObject(event === 'recovery_link.create' ? whole : []);
  }
});
