import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Answer, TestAgent } from '../support/agent.ts';
import { startFrozenService } from '../support/frozen-clock.ts';
import { type Person, signUp, userIdOf } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { meet } from '../support/second-instance.ts';
import type { TestService } from '../support/test-service.ts';
import { endSessions } from './support/accounts.ts';
import { auditRowsOf } from './support/audit-log.ts';
import {
  accept,
  changeRole,
  deleteUser,
  disable,
  enable,
  invite,
  postInvitation,
  signUpAs,
} from './support/authority.ts';
import { isSignedIn } from './support/current-session.ts';
import { whileInserting } from './support/held-insert.ts';
import { inviteWhole, listed, revoke, roleOf } from './support/invitations.ts';

let service: TestService;
let superadmin: Person;
let creator: Person;
let person: Person;
beforeAll(async () => {
  service = await startFrozenService();
  superadmin = await signUpAs(service, 'superadmin');
});
afterAll(() => service.close());
beforeEach(async () => {
  creator = await signUpAs(service, 'superadmin');
  person = await signUp(service);
});

const one = { count: 1 };
const through = (change: () => Promise<Answer>) => async () => {
  const { status } = await change();
  return { count: status < 300 ? 1 : 0 };
};

/** Accepts an invitation as `person`. Calls `change` after the service reads the invitation and before it writes. */
async function acceptDuring(token: string, change: () => Promise<{ count: number }>): Promise<Answer> {
  const { answer, changed } = await meet(service, {
    before: /set accepted_by/,
    change,
    act: (instance) => accept(instance.browser(person.browser.cookies), token),
  });
  expect(changed).toBeGreaterThan(0);
  return answer;
}

describe('accepting an invitation concurrently with', () => {
  test.each<[what: string, by: (id: string) => () => Promise<{ count: number }>]>([
    ['the revocation of the invitation', (id) => through(() => revoke(superadmin.browser, { id }))],
    [
      'the demotion of its creator to user',
      () => through(() => changeRole(superadmin.browser, creator, 'user')),
    ],
    ['the disabling of its creator', () => through(() => disable(superadmin.browser, creator))],
    ['the deletion of its creator', () => through(() => deleteUser(superadmin.browser, creator))],
    [
      'an SQL change of its creator’s role',
      () => () =>
        service.database.sql`update latchkey.users set role = 'admin' where id = ${userIdOf(creator)}`,
    ],
    [
      'an SQL change of its creator’s status',
      () => () =>
        service.database.sql`update latchkey.users set status = 'disabled' where id = ${userIdOf(creator)}`,
    ],
    [
      'the expiry of the invitation',
      (id) => () =>
        service.database.sql`update latchkey.invitations set expires_at = latchkey.clock() where id = ${id}`,
    ],
  ])('%s: the user does not become an admin', async (_, by) => {
    const { invitation, token } = await inviteWhole(creator.browser);
    const answer = await acceptDuring(token, by(invitation.id));
    expectProblem(answer, 'invitation_unusable');
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect(await roleOf(person.browser)).toBe('user');
    expect(await listed(superadmin.browser, invitation)).toMatchObject({
      acceptedBy: null,
      acceptedAt: null,
    });
    expect(await auditRowsOf(service, answer)).toMatchObject([
      { event: 'invitation.accept', outcome: 'failure', details: { reason: 'invitation_unusable' } },
    ]);
  });

  test('an acceptance by another user: only the other user becomes an admin', async () => {
    const other = await signUp(service);
    const { invitation, token } = await inviteWhole(creator.browser);
    const answer = await acceptDuring(
      token,
      through(() => accept(other.browser, token)),
    );
    expectProblem(answer, 'invitation_unusable');
    expect([await roleOf(person.browser), await roleOf(other.browser)]).toEqual(['user', 'admin']);
    expect(await listed(superadmin.browser, invitation)).toMatchObject({
      acceptedBy: { id: userIdOf(other) },
    });
  });

  test('a promotion of the user to admin: the invitation stays pending', async () => {
    const { invitation, token } = await inviteWhole(creator.browser);
    const answer = await acceptDuring(
      token,
      through(() => changeRole(superadmin.browser, person, 'admin')),
    );
    expectProblem(answer, 'role_already_held');
    expect(await listed(superadmin.browser, invitation)).toEqual(invitation);
  });

  test('a promotion of the user to superadmin: the user keeps the new role', async () => {
    const { invitation, token } = await inviteWhole(creator.browser);
    const answer = await acceptDuring(
      token,
      through(() => changeRole(superadmin.browser, person, 'superadmin')),
    );
    expectProblem(answer, 'role_already_held');
    expect(await roleOf(person.browser)).toBe('superadmin');
    expect(await listed(superadmin.browser, invitation)).toEqual(invitation);
  });

  test.each<[what: string, by: () => Promise<{ count: number }>]>([
    ['the sign-out of the user', through(() => person.browser.copy().delete('/auth/session'))],
    ['the disabling of the user', through(() => disable(superadmin.browser, person))],
    ['the deletion of the user', through(() => deleteUser(superadmin.browser, person))],
    ['the end of the user’s session', () => endSessions(service, person)],
  ])('%s: the acceptance is rejected and opens no session', async (_, by) => {
    const { invitation, token } = await inviteWhole(creator.browser);
    const answer = await acceptDuring(token, by);
    expectProblem(answer, 'not_authenticated');
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect(await isSignedIn(person.browser)).toBe(false);
    expect(await listed(superadmin.browser, invitation)).toEqual(invitation);
  });

  test('another change of the user’s account: the acceptance succeeds', async () => {
    const { token } = await inviteWhole(creator.browser);
    let done = false;
    const answer = await acceptDuring(token, async () => {
      if (!done)
        await service.database.sql`
        update latchkey.users set version = version + 1 where id = ${userIdOf(person)}`;
      done = true;
      return one;
    });
    expect([answer.status, answer.body.user.role]).toEqual([200, 'admin']);
    expect(await auditRowsOf(service, answer)).toMatchObject([{ outcome: 'success' }]);
  });
});

describe('revoking an invitation concurrently with', () => {
  const revokeDuring = (id: string, change: () => Promise<{ count: number }>) =>
    meet(service, {
      before: /set revoked_at/,
      change,
      act: (instance) => revoke(instance.browser(creator.browser.cookies), { id }),
    });

  test('its acceptance: the revocation is rejected', async () => {
    const { invitation, token } = await inviteWhole(superadmin.browser);
    const { answer } = await revokeDuring(
      invitation.id,
      through(() => accept(person.browser, token)),
    );
    expectProblem(answer, 'invitation_already_accepted');
    expect(await roleOf(person.browser)).toBe('admin');
  });

  test('another revocation: the later revocation also succeeds', async () => {
    const { invitation } = await inviteWhole(superadmin.browser);
    const { answer } = await revokeDuring(
      invitation.id,
      through(() => revoke(superadmin.browser, invitation)),
    );
    expect(answer.status).toBe(204);
  });

  test.each<[what: string, by: () => Promise<Answer>, code: 'forbidden' | 'not_authenticated']>([
    ['the demotion of the superadmin', () => changeRole(superadmin.browser, creator, 'admin'), 'forbidden'],
    ['the disabling of the superadmin', () => disable(superadmin.browser, creator), 'not_authenticated'],
    [
      'the sign-out of the superadmin',
      () => creator.browser.copy().delete('/auth/session'),
      'not_authenticated',
    ],
  ])('%s: the revocation is rejected, and so is the creation of an invitation', async (_, by, code) => {
    const { invitation, token } = await inviteWhole(superadmin.browser);
    expectProblem((await revokeDuring(invitation.id, through(by))).answer, code);
    expect((await accept(person.browser, token)).status).toBe(200);

    creator = await signUpAs(service, 'superadmin');
    const { answer } = await meet(service, {
      before: /insert into latchkey\.invitations/,
      change: through(by),
      act: (instance) => postInvitation(instance.browser(creator.browser.cookies)),
    });
    expectProblem(answer, code);
    const made = await service.database.sql`
      select from latchkey.invitations where created_by = ${userIdOf(creator)}`;
    expect(made).toHaveLength(0);
  });
});

describe('an invitation that is inserted while its creator', () => {
  /** Creates an invitation. The statement checks the rights, then waits until `change` is done or waits for it. */
  const inviteDuring = (browser: TestAgent, change: () => Promise<unknown>): Promise<Answer> =>
    whileInserting(service, 'invitations', () => postInvitation(browser), change);

  test.each<[what: string, change: () => Promise<unknown>]>([
    ['is demoted', () => changeRole(superadmin.browser, creator, 'user')],
    ['is disabled', () => disable(superadmin.browser, creator)],
    ['is deleted', () => deleteUser(superadmin.browser, creator)],
  ])('%s can never be accepted', async (_, change) => {
    const answer = await inviteDuring(creator.browser, change);
    expect([201, 401, 403]).toContain(answer.status);
    const token = answer.body.token ?? 'none';
    expect([404, 410]).toContain((await accept(person.browser, token)).status);
    await enable(superadmin.browser, creator);
    await changeRole(superadmin.browser, creator, 'superadmin');
    expect([404, 410]).toContain((await accept(person.browser, token)).status);
    expect(await roleOf(person.browser)).toBe('user');
  });

  test('stays a superadmin can be accepted', async () => {
    const answer = await inviteDuring(creator.browser, async () => {});
    expect((await accept(person.browser, answer.body.token)).status).toBe(200);
    expect((await accept((await signUp(service)).browser, await invite(creator.browser))).status).toBe(200);
  });
});
