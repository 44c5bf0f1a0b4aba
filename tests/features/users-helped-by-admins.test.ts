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

/** An admin with an organization, and somebody who belongs to it. */
async function adminAndMember() {
  const admin = await signUpAs(service, 'admin');
  const organization = await found(admin.browser);
  const member = await signUpMember(service, admin.browser, organization);
  return { admin, organization, member };
}
type Setting = Awaited<ReturnType<typeof adminAndMember>>;

describe('an admin', () => {
  test('helps a plain member, in the organization’s name', async () => {
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

  test('does not help another admin of the organization, nor one of another organization', async () => {
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

  test('does not help a member who also belongs to an organization of another admin', async () => {
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
    'does not help a member in the role of %s, and that is written down',
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

  test('does not help themself', async () => {
    const { admin } = await adminAndMember();
    expectProblem(await help(admin.browser, admin), 'forbidden');
  });

  test('knows no stranger, nor members of organizations that they only belong to', async () => {
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

  test('helps nobody who is disabled', async () => {
    const { admin, member } = await adminAndMember();
    await disable(superadmin.browser, member);
    expectProblem(await help(admin.browser, member), 'account_disabled');
  });
});

const falls: [name: string, fall: (setting: Setting) => Promise<unknown>][] = [
  [
    'is no longer an admin of the organization',
    async ({ admin, organization }) => {
      const heir = await signUpMember(service, admin.browser, organization, 'admin');
      expect((await heir.browser.patch(memberPath(organization, admin), { role: 'user' })).status).toBe(200);
    },
  ],
  [
    'has left the organization',
    async ({ admin, organization }) => {
      await signUpMember(service, admin.browser, organization, 'admin');
      expect((await admin.browser.delete(memberPath(organization, admin))).status).toBe(204);
    },
  ],
  [
    'has seen the member leave',
    async ({ organization, member }) => {
      expect((await member.browser.delete(memberPath(organization, member))).status).toBe(204);
    },
  ],
  [
    'has removed the member',
    async ({ admin, organization, member }) => {
      expect((await admin.browser.delete(memberPath(organization, member))).status).toBe(204);
    },
  ],
  [
    'has deleted the organization',
    async ({ admin, organization }) => {
      expect((await admin.browser.delete(`${organizationsPath}/${organization.id}`)).status).toBe(204);
    },
  ],
  [
    'is below the member by now',
    async ({ member }) => {
      await changeRole(superadmin.browser, member, 'superadmin');
    },
  ],
  [
    'is but the member’s equal by now',
    async ({ member }) => {
      await changeRole(superadmin.browser, member, 'admin');
    },
  ],
  [
    'is a user by now',
    async ({ admin }) => {
      await changeRole(superadmin.browser, admin, 'user');
    },
  ],
];

describe('a link by an admin who', () => {
  test.each(falls)('%s opens nothing', async (_, fall) => {
    const setting = await adminAndMember();
    const { token } = (await help(setting.admin.browser, setting.member)).body;
    await fall(setting);
    const reason = await reasonOfRefusal(service, await useLink(service.browser(), token));
    expect(['maker_no_longer_entitled', 'link_unknown_or_used']).toContain(reason);
    expect(await recoverySessionsOf(service, setting.member)).toEqual([]);
  });

  test.each(falls)('%s between reading and using the link opens nothing', async (_, fall) => {
    const setting = await adminAndMember();
    const { token } = (await help(setting.admin.browser, setting.member)).body;
    const { answer, changed } = await meet(service, {
      before: /update latchkey\.recovery_links/,
      change: async () => {
        await fall(setting);
        return { count: 1 };
      },
      act: (instance) => useLink(instance.browser(), token),
    });
    expect(changed).toBe(1);
    expect(['maker_no_longer_entitled', 'link_unknown_or_used']).toContain(
      await reasonOfRefusal(service, answer),
    );
    expect(await recoverySessionsOf(service, setting.member)).toEqual([]);
  });

  test.each(falls)('%s after its use completes nothing', async (_, fall) => {
    const setting = await adminAndMember();
    const browser = await enterByLink(
      service,
      (await help(setting.admin.browser, setting.member)).body.token,
    );
    const finish = await prepareCompletion(browser);
    await fall(setting);
    const answer = await finish();
    expect([401, 'not_authenticated', 'authentication_failed']).toEqual(
      expect.arrayContaining([answer.status, answer.body.code]),
    );
    expect(await auditRowsAbout(service, setting.member, 'recovery.complete')).not.toContainEqual(
      expect.objectContaining({ outcome: 'success' }),
    );
    expect((await logIn(service.browser(), setting.member.authenticator)).status).toBe(200);
  });

  test.each(falls)('%s during the completion makes it fail', async (_, fall) => {
    const setting = await adminAndMember();
    const browser = await enterByLink(
      service,
      (await help(setting.admin.browser, setting.member)).body.token,
    );
    const finish = await prepareCompletion(browser);
    let falling: Promise<unknown> | undefined;
    const { answer, changed } = await meet(service, {
      before: /insert into latchkey\.passkeys/,
      change: async () => {
        // Once: the statement can be sent again for it.
        falling ??= fall(setting);
        await falling;
        return { count: 1 };
      },
      act: (instance) => finish(instance.browser(browser.cookies)),
    });
    expect(changed).toBeGreaterThan(0);
    expect(answer.status).toBe(401);
    expect((await logIn(service.browser(), setting.member.authenticator)).status).toBe(200);
  });

  test('still manages one organization of the user works after the user leaves another', async () => {
    const { admin, organization, member } = await adminAndMember();
    await admit(admin.browser, await found(admin.browser), member);
    const { token } = (await help(admin.browser, member)).body;
    await member.browser.delete(memberPath(organization, member));
    expect((await useLink(service.browser(), token)).status).toBe(200);
  });
});

test('from the admin’s link to the new passkey: other sessions end, and the admin keeps nothing and sees only the making of the link', async () => {
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
      (await browser.get(`${auditPath}?event=${event}&target=${userIdOf(member)}`)).body.events;
    const whole = [{ event, target: { id: userIdOf(member) } }];
    expect(await seenBy(superadmin)).toMatchObject(whole);
    // Only the link is made in the organization.
    expect(await seenBy(admin)).toMatchObject(event === 'recovery_link.create' ? whole : []);
  }
});
