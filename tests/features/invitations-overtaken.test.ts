import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Answer, TestAgent } from '../support/agent.ts';
import { startFrozenService } from '../support/frozen-clock.ts';
import { type Person, signUp, userIdOf } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { meet } from '../support/second-instance.ts';
import type { TestService } from '../support/test-service.ts';
import { untilWaiting } from '../support/waiting.ts';
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
import { inviteWhole, listed, revoke, roleOf } from './support/invitations.ts';

let service: TestService;
let chief: Person;
let maker: Person;
let person: Person;
beforeAll(async () => {
  service = await startFrozenService();
  chief = await signUpAs(service, 'superadmin');
});
afterAll(() => service.close());
beforeEach(async () => {
  maker = await signUpAs(service, 'superadmin');
  person = await signUp(service);
});

const one = { count: 1 };
const through = (change: () => Promise<Answer>) => async () => {
  const { status } = await change();
  return { count: status < 300 ? 1 : 0 };
};

/** Lets somebody accept an invitation that is met by this between its being read and its being used. */
async function acceptMeeting(token: string, change: () => Promise<{ count: number }>): Promise<Answer> {
  const { answer, changed } = await meet(service, {
    before: /set accepted_by/,
    change,
    act: (instance) => accept(instance.browser(person.browser.cookies), token),
  });
  expect(changed).toBeGreaterThan(0);
  return answer;
}

describe('an invitation that is met, between its being read and its being used, by', () => {
  test.each<[what: string, by: (id: string) => () => Promise<{ count: number }>]>([
    ['its being revoked', (id) => through(() => revoke(chief.browser, { id }))],
    ['its maker’s being a user', () => through(() => changeRole(chief.browser, maker, 'user'))],
    ['its maker’s being disabled', () => through(() => disable(chief.browser, maker))],
    ['its maker’s being deleted', () => through(() => deleteUser(chief.browser, maker))],
    [
      'its maker’s loss of the role alone',
      () => () =>
        service.database.sql`update latchkey.users set role = 'admin' where id = ${userIdOf(maker)}`,
    ],
    [
      'its maker’s loss of the account alone',
      () => () =>
        service.database.sql`update latchkey.users set status = 'disabled' where id = ${userIdOf(maker)}`,
    ],
    [
      'the end of its time',
      (id) => () =>
        service.database.sql`update latchkey.invitations set expires_at = latchkey.clock() where id = ${id}`,
    ],
  ])('%s makes nobody an admin', async (_, by) => {
    const { invitation, token } = await inviteWhole(maker.browser);
    const answer = await acceptMeeting(token, by(invitation.id));
    expectProblem(answer, 'invitation_unusable');
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect(await roleOf(person.browser)).toBe('user');
    expect(await listed(chief.browser, invitation)).toMatchObject({ acceptedBy: null, acceptedAt: null });
    expect(await auditRowsOf(service, answer)).toMatchObject([
      { event: 'invitation.accept', outcome: 'failure', details: { reason: 'invitation_unusable' } },
    ]);
  });

  test('somebody else’s acceptance is theirs', async () => {
    const other = await signUp(service);
    const { invitation, token } = await inviteWhole(maker.browser);
    const answer = await acceptMeeting(
      token,
      through(() => accept(other.browser, token)),
    );
    expectProblem(answer, 'invitation_unusable');
    expect([await roleOf(person.browser), await roleOf(other.browser)]).toEqual(['user', 'admin']);
    expect(await listed(chief.browser, invitation)).toMatchObject({ acceptedBy: { id: userIdOf(other) } });
  });

  test('the person’s being made an admin stays pending', async () => {
    const { invitation, token } = await inviteWhole(maker.browser);
    const answer = await acceptMeeting(
      token,
      through(() => changeRole(chief.browser, person, 'admin')),
    );
    expectProblem(answer, 'role_already_held');
    expect(await listed(chief.browser, invitation)).toEqual(invitation);
  });

  test('the person’s being made a superadmin takes nothing from them', async () => {
    const { invitation, token } = await inviteWhole(maker.browser);
    const answer = await acceptMeeting(
      token,
      through(() => changeRole(chief.browser, person, 'superadmin')),
    );
    expectProblem(answer, 'role_already_held');
    expect(await roleOf(person.browser)).toBe('superadmin');
    expect(await listed(chief.browser, invitation)).toEqual(invitation);
  });

  test.each<[what: string, by: () => Promise<{ count: number }>]>([
    ['logging out', through(() => person.browser.copy().delete('/auth/session'))],
    ['being disabled', through(() => disable(chief.browser, person))],
    ['being deleted', through(() => deleteUser(chief.browser, person))],
    ['losing the session alone', () => endSessions(service, person)],
  ])('the person’s %s opens no session again', async (_, by) => {
    const { invitation, token } = await inviteWhole(maker.browser);
    const answer = await acceptMeeting(token, by);
    expectProblem(answer, 'not_authenticated');
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect(await isSignedIn(person.browser)).toBe(false);
    expect(await listed(chief.browser, invitation)).toEqual(invitation);
  });

  test('any other change of the account is accepted all the same', async () => {
    const { token } = await inviteWhole(maker.browser);
    let done = false;
    const answer = await acceptMeeting(token, async () => {
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

describe('revoking that is met by', () => {
  const revokeMeeting = (id: string, change: () => Promise<{ count: number }>) =>
    meet(service, {
      before: /set revoked_at/,
      change,
      act: (instance) => revoke(instance.browser(maker.browser.cookies), { id }),
    });

  test('an acceptance is too late', async () => {
    const { invitation, token } = await inviteWhole(chief.browser);
    const { answer } = await revokeMeeting(
      invitation.id,
      through(() => accept(person.browser, token)),
    );
    expectProblem(answer, 'invitation_already_accepted');
    expect(await roleOf(person.browser)).toBe('admin');
  });

  test('another’s revoking is done', async () => {
    const { invitation } = await inviteWhole(chief.browser);
    const { answer } = await revokeMeeting(
      invitation.id,
      through(() => revoke(chief.browser, invitation)),
    );
    expect(answer.status).toBe(204);
  });

  test.each<[what: string, by: () => Promise<Answer>, code: 'forbidden' | 'not_authenticated']>([
    ['being an admin', () => changeRole(chief.browser, maker, 'admin'), 'forbidden'],
    ['being disabled', () => disable(chief.browser, maker), 'not_authenticated'],
    ['logging out', () => maker.browser.copy().delete('/auth/session'), 'not_authenticated'],
  ])('one’s %s does nothing, and neither does making one', async (_, by, code) => {
    const { invitation, token } = await inviteWhole(chief.browser);
    expectProblem((await revokeMeeting(invitation.id, through(by))).answer, code);
    expect((await accept(person.browser, token)).status).toBe(200);

    maker = await signUpAs(service, 'superadmin');
    const { answer } = await meet(service, {
      before: /insert into latchkey\.invitations/,
      change: through(by),
      act: (instance) => postInvitation(instance.browser(maker.browser.cookies)),
    });
    expectProblem(answer, code);
    const made = await service.database.sql`
      select from latchkey.invitations where created_by = ${userIdOf(maker)}`;
    expect(made).toHaveLength(0);
  });
});

describe('an invitation that is just being written while its maker', () => {
  /** Holds every new invitation up, its rights already checked, until what meets it is done. */
  async function inviteDuring(browser: TestAgent, fall: () => Promise<unknown>): Promise<Answer> {
    const { sql } = service.database;
    await sql.unsafe(`
      create or replace function public.hold() returns trigger language plpgsql
        as $$ begin perform pg_advisory_xact_lock(1); return null; end $$;
      create trigger hold after insert on latchkey.invitations execute function public.hold()`);
    const gate = await sql.reserve();
    try {
      await gate`select pg_advisory_lock(1)`;
      const making = postInvitation(browser);
      await untilWaiting(gate);
      await fall();
      await gate`select pg_advisory_unlock(1)`;
      return await making;
    } finally {
      gate.release();
      await sql.unsafe('drop trigger hold on latchkey.invitations');
    }
  }

  test.each<[what: string, fall: () => Promise<unknown>]>([
    ['is made a user', () => changeRole(chief.browser, maker, 'user')],
    ['is disabled', () => disable(chief.browser, maker)],
    ['is deleted', () => deleteUser(chief.browser, maker)],
  ])('%s is dead, and stays dead', async (_, fall) => {
    const answer = await inviteDuring(maker.browser, fall);
    expect([201, 401, 403]).toContain(answer.status);
    const token = answer.body.token ?? 'none';
    expect([404, 410]).toContain((await accept(person.browser, token)).status);
    await enable(chief.browser, maker);
    await changeRole(chief.browser, maker, 'superadmin');
    expect([404, 410]).toContain((await accept(person.browser, token)).status);
    expect(await roleOf(person.browser)).toBe('user');
  });

  test('is left alone serves', async () => {
    const answer = await inviteDuring(maker.browser, async () => {});
    expect((await accept(person.browser, answer.body.token)).status).toBe(200);
    expect((await accept((await signUp(service)).browser, await invite(maker.browser))).status).toBe(200);
  });
});
