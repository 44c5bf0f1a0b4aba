import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestAgent } from '../support/agent.ts';
import { addPasskey, logIn, type Person, signUp, stepUp, userIdOf } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { meet, startSecondInstance } from '../support/second-instance.ts';
import type { ServiceOn } from '../support/service-on.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { endSessions } from './support/accounts.ts';
import { auditRowsAbout, wholeAuditRowsOf } from './support/audit-log.ts';
import {
  admit,
  changeRole,
  endSessionOf,
  endSessionsOf,
  found,
  signUpAs,
  signUpMember,
  usersPath,
} from './support/authority.ts';
import { isSignedIn } from './support/current-session.ts';
import { setMembership } from './support/organizations.ts';
import { enterByCode, generateCodes } from './support/recovery.ts';

let service: TestService;
let second: ServiceOn;
let superadmin: Person;
beforeAll(async () => {
  service = await startTestService();
  second = await startSecondInstance(service);
  superadmin = await signUpAs(service, 'superadmin');
});
afterAll(async () => {
  await second.close();
  await service.close();
});

/** Signs up a user and opens two more sessions. One of them is a recovery session. */
async function signUpWithSessions() {
  const person = await signUp(service);
  const [code] = await generateCodes(person.browser);
  const elsewhere = second.browser();
  await logIn(elsewhere, person.authenticator);
  const browsers = [person.browser, elsewhere, await enterByCode(service, person, code)];
  return { person, browsers };
}

describe('ending all sessions of a user', () => {
  test('ends them in every process, and returns the number of active sessions', async () => {
    const { person, browsers } = await signUpWithSessions();
    await service.database.sql`
      update latchkey.sessions set expires_at = latchkey.clock()
      where user_id = ${userIdOf(person)} and kind = 'recovery'`;
    const answer = await endSessionsOf(superadmin.browser, person);
    expect([answer.status, answer.body]).toEqual([200, { ended: 2 }]);
    for (const browser of browsers) {
      expect(await isSignedIn(browser)).toBe(false);
      expect(await isSignedIn(second.browser(browser.cookies))).toBe(false);
    }
    expect(await wholeAuditRowsOf(service, answer)).toMatchObject([
      {
        event: 'user.end_sessions',
        outcome: 'success',
        actor_id: userIdOf(superadmin),
        target_type: 'user',
        target_id: userIdOf(person),
        target_name: person.username,
        organization_id: null,
      },
    ]);
  });

  test('does not affect the sign-in methods, so the user can sign in again', async () => {
    const { person } = await signUpWithSessions();
    await endSessionsOf(superadmin.browser, person);
    const browser = service.browser();
    expect((await logIn(browser, person.authenticator)).status).toBe(200);
    expect(await isSignedIn(browser)).toBe(true);
    expect((await addPasskey(browser)).status).toBe(201);
    expect((await stepUp(browser, person.authenticator)).status).toBe(200);
    expect(await isSignedIn(second.browser(browser.cookies))).toBe(true);
    expect((await browser.get('/auth/sessions')).body.sessions).toHaveLength(1);
  });

  test('does not end sessions of other users', async () => {
    const [{ person }, other] = [await signUpWithSessions(), await signUpWithSessions()];
    await endSessionsOf(superadmin.browser, person);
    for (const browser of other.browsers) expect(await isSignedIn(browser)).toBe(true);
  });

  test('succeeds and is recorded even if the user has no sessions', async () => {
    const person = await signUp(service);
    await endSessionsOf(superadmin.browser, person);
    expect((await endSessionsOf(superadmin.browser, person)).body).toEqual({ ended: 0 });
    expect(await auditRowsAbout(service, person, 'user.end_sessions')).toHaveLength(2);
  });

  test('has the same effects when an operator does it', async () => {
    const { person, browsers } = await signUpWithSessions();
    expect(await service.auth.asOperator('ops').users.endSessions(person.username)).toBe(3);
    for (const browser of browsers) expect(await isSignedIn(browser)).toBe(false);
    expect(await auditRowsAbout(service, person, 'user.end_sessions')).toMatchObject([
      { actor_type: 'operator', actor_name: 'ops', outcome: 'success' },
    ]);
  });

  test('fails if the caller’s session ends just before the statement runs', async () => {
    const [actor, person] = [await signUpAs(service, 'superadmin'), await signUp(service)];
    const { answer, changed } = await meet(service, {
      before: /session_epoch = session_epoch \+ 1/,
      change: () => endSessions(service, actor),
      act: (instance) => endSessionsOf(instance.browser(actor.browser.cookies), person),
    });
    expect(changed).toBe(1);
    expectProblem(answer, 'not_authenticated');
    expect(await isSignedIn(person.browser)).toBe(true);
  });
});

describe('when an admin ends all sessions of a user, the request', () => {
  test('is allowed if the target is a member with the role user, and is recorded with the organization', async () => {
    const admin = await signUpAs(service, 'admin');
    const organization = await found(admin.browser);
    const member = await signUpMember(service, admin.browser, organization);
    const answer = await endSessionsOf(admin.browser, member);
    expect(answer.body).toEqual({ ended: 1 });
    expect(await isSignedIn(member.browser)).toBe(false);
    expect(await wholeAuditRowsOf(service, answer)).toMatchObject([
      { event: 'user.end_sessions', actor_id: userIdOf(admin), organization_id: organization.id },
    ]);
  });

  test('is forbidden if the target is an admin, a superadmin or the caller, and the attempt is recorded', async () => {
    const admin = await signUpAs(service, 'admin');
    const organization = await found(admin.browser);
    for (const role of ['admin', 'superadmin'] as const) {
      const person = await signUpAs(service, role);
      await admit(admin.browser, organization, person);
      const answer = await endSessionsOf(admin.browser, person);
      expectProblem(answer, 'forbidden');
      expect(await wholeAuditRowsOf(service, answer)).toMatchObject([
        { outcome: 'failure', target_id: userIdOf(person), details: { reason: 'no_plain_user' } },
      ]);
      expect(await isSignedIn(person.browser)).toBe(true);
    }
    expectProblem(await endSessionsOf(admin.browser, admin), 'forbidden');
    expect(await isSignedIn(admin.browser)).toBe(true);
  });

  test('is forbidden if the target is an organization admin or also belongs to an organization of another admin', async () => {
    const [admin, other] = [await signUpAs(service, 'admin'), await signUpAs(service, 'admin')];
    const organization = await found(admin.browser);
    const manager = await signUpMember(service, admin.browser, organization, 'admin');
    const shared = await signUpMember(service, admin.browser, organization);
    await setMembership(service, await found(other.browser), shared, 'user');
    for (const [person, reason] of [
      [manager, 'no_plain_user'],
      [shared, 'not_of_their_organizations'],
    ] as const) {
      const answer = await endSessionsOf(admin.browser, person);
      expectProblem(answer, 'forbidden');
      expect(await wholeAuditRowsOf(service, answer)).toMatchObject([
        { event: 'user.end_sessions', outcome: 'failure', details: { reason } },
      ]);
      expect(await isSignedIn(person.browser)).toBe(true);
    }
  });

  test('returns 404 if the target is outside of the admin’s organizations', async () => {
    const [admin, stranger] = [await signUpAs(service, 'admin'), await signUp(service)];
    await found(admin.browser);
    expectProblem(await endSessionsOf(admin.browser, stranger), 'not_found');
    expect(await isSignedIn(stranger.browser)).toBe(true);
  });

  test('is forbidden after the admin is demoted to the role user', async () => {
    const admin = await signUpAs(service, 'admin');
    const organization = await found(admin.browser);
    const member = await signUpMember(service, admin.browser, organization);
    await changeRole(superadmin.browser, admin, 'user');
    expectProblem(await endSessionsOf(admin.browser, member), 'forbidden');
    expect(await isSignedIn(member.browser)).toBe(true);
  });
});

describe('when a superadmin ends all sessions of a user, the request', () => {
  test('is allowed if the target is another superadmin, and forbidden if the target is the caller', async () => {
    const other = await signUpAs(service, 'superadmin');
    expect((await endSessionsOf(superadmin.browser, other)).body).toEqual({ ended: 1 });
    expectProblem(await endSessionsOf(superadmin.browser, superadmin), 'forbidden');
    expect(await isSignedIn(superadmin.browser)).toBe(true);
  });

  test('requires fresh authentication and the id of a user', async () => {
    const [actor, person] = [await signUpAs(service, 'superadmin'), await signUp(service)];
    for (const id of ['1', '%00', '00000000-0000-7000-8000-000000000000']) {
      expectProblem(await actor.browser.delete(`${usersPath}/${id}/sessions`), 'not_found');
    }
    await service.database.sql`
      update latchkey.sessions set authenticated_at = latchkey.clock() - '11 minutes'::interval
      where user_id = ${userIdOf(actor)}`;
    expectProblem(await endSessionsOf(actor.browser, person), 'reauthentication_required');
    expect(await isSignedIn(person.browser)).toBe(true);
  });
});

describe('ending one session of a user', () => {
  test('ends only this session, in every process, and records the id of the session', async () => {
    const { person, browsers } = await signUpWithSessions();
    const [stolen, kept, recovering] = browsers as [TestAgent, TestAgent, TestAgent];
    const { id } = (await stolen.get('/auth/session')).body.session;
    const onSecond = second.browser(stolen.cookies);
    expect([await isSignedIn(stolen), await isSignedIn(onSecond)]).toEqual([true, true]);
    const answer = await endSessionOf(superadmin.browser, stolen);
    expect(answer.status).toBe(204);
    expect([await isSignedIn(stolen), await isSignedIn(onSecond)]).toEqual([false, false]);
    expect([await isSignedIn(kept), await isSignedIn(recovering)]).toEqual([true, true]);
    expect(await wholeAuditRowsOf(service, answer)).toMatchObject([
      {
        event: 'user.end_session',
        outcome: 'success',
        actor_id: userIdOf(superadmin),
        target_type: 'user',
        target_id: userIdOf(person),
        target_name: person.username,
        organization_id: null,
        details: { sessionId: id },
      },
    ]);
  });

  test('ends a recovery session', async () => {
    const { browsers } = await signUpWithSessions();
    const recovering = browsers[2] as TestAgent;
    expect((await endSessionOf(superadmin.browser, recovering)).status).toBe(204);
    expect(await isSignedIn(recovering)).toBe(false);
  });

  test('returns 404 for an ended, an expired and a malformed session, and for a session of another user', async () => {
    const [{ person, browsers }, other] = [await signUpWithSessions(), await signUp(service)];
    const [browser, stolen, recovering] = browsers as [TestAgent, TestAgent, TestAgent];
    const { id: ended } = (await stolen.get('/auth/session')).body.session;
    await endSessionOf(superadmin.browser, stolen);
    const { id: expired } = (await browser.get('/auth/session')).body.session;
    await service.database.sql`
      update latchkey.sessions set expires_at = latchkey.clock() where id = ${expired}`;
    const foreign = other.signedUp.body.session.id;
    const before = await auditRowsAbout(service, person, 'user.end_session');
    const { id: live } = (await recovering.get('/auth/session')).body.session;
    // The empty id and the dots are the paths of all sessions and of the user, but with a slash at the end.
    for (const id of [ended, expired, foreign, '1', '%00', live.toUpperCase(), '', '.', '..'])
      expectProblem(
        await superadmin.browser.delete(`${usersPath}/${userIdOf(person)}/sessions/${id}`),
        'not_found',
      );
    expect([await isSignedIn(other.browser), await isSignedIn(recovering)]).toEqual([true, true]);
    expect(await auditRowsAbout(service, person, 'user.end_session')).toEqual(before);
  });

  test('is forbidden for the caller’s own sessions, and needs the same rights as ending all sessions', async () => {
    const admin = await signUpAs(service, 'admin');
    const organization = await found(admin.browser);
    const member = await signUpMember(service, admin.browser, organization);
    const manager = await signUpMember(service, admin.browser, organization, 'admin');
    const refused = await endSessionOf(admin.browser, manager.browser);
    expectProblem(refused, 'forbidden');
    expect(await wholeAuditRowsOf(service, refused)).toMatchObject([
      { event: 'user.end_session', outcome: 'failure', details: { reason: 'no_plain_user' } },
    ]);
    expectProblem(await endSessionOf(admin.browser, admin.browser), 'forbidden');
    expectProblem(await endSessionOf(admin.browser, (await signUp(service)).browser), 'not_found');
    const allowed = await endSessionOf(admin.browser, member.browser);
    expect(allowed.status).toBe(204);
    expect(await wholeAuditRowsOf(service, allowed)).toMatchObject([
      { event: 'user.end_session', actor_id: userIdOf(admin), organization_id: organization.id },
    ]);
    expect([await isSignedIn(manager.browser), await isSignedIn(member.browser)]).toEqual([true, false]);
  });

  test('fails if the caller’s session ends just before the statement runs', async () => {
    const [actor, person] = [await signUpAs(service, 'superadmin'), await signUp(service)];
    const { answer, changed } = await meet(service, {
      before: /delete from latchkey\.sessions/,
      change: () => endSessions(service, actor),
      act: (instance) => endSessionOf(instance.browser(actor.browser.cookies), person.browser),
    });
    expect(changed).toBe(1);
    expectProblem(answer, 'not_authenticated');
    expect(await isSignedIn(person.browser)).toBe(true);
  });

  test('can be done by an operator', async () => {
    const { person, browsers } = await signUpWithSessions();
    const stolen = browsers[1] as TestAgent;
    const { id } = (await stolen.get('/auth/session')).body.session;
    const { users } = service.auth.asOperator('ops');
    await users.endSession(person.username, id);
    expect([await isSignedIn(stolen), await isSignedIn(person.browser)]).toEqual([false, true]);
    expect(await auditRowsAbout(service, person, 'user.end_session')).toMatchObject([
      { actor_type: 'operator', actor_name: 'ops', outcome: 'success', details: { sessionId: id } },
    ]);
    await expect(users.endSession(person.username, id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(users.endSession(person.username, undefined as never)).rejects.toThrow(
      new TypeError('sessionId: expected a UUID, not undefined'),
    );
  });
});
