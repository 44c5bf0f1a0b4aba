import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startFrozenService } from '../support/frozen-clock.ts';
import { expectNoLoggedErrors } from '../support/logged-errors.ts';
import { together } from '../support/many-requests.ts';
import { type Person, signUp, userIdOf } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { accept, changeRole, disable, enable, endSessionsOf, invite, signUpAs } from './support/authority.ts';
import { currentSession, isSignedIn } from './support/current-session.ts';
import { everyRow } from './support/erasure.ts';
import {
  createImpersonationLink,
  operatorAs,
  reason,
  useImpersonationLink,
} from './support/impersonation.ts';
import { addPassword } from './support/passwords.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ bcryptCost: 4, impersonation: true });
});
afterAll(() => service.close());
afterEach(() => expectNoLoggedErrors(service));

const events = async (count: number) => (await service.auditRows()).slice(-count);

describe('the link of an operator', () => {
  test('contains the page and a token, of which the database stores only a hash', async () => {
    const ada = await signUp(service);
    const link = await service.auth.asOperator('grace').users.impersonate(ada.username, { reason });
    expect(link.url).toBe(`http://localhost:3000/impersonate#token=${link.token}`);
    expect(link.token).toMatch(/^[\w-]{43}$/);
    expect(Date.parse(link.expiresAt) - Date.now()).toBeLessThanOrEqual(5 * 60_000 + 5_000);
    expect((await everyRow(service)).filter((row) => row.includes(link.token))).toEqual([]);
    expect(service.logged.filter((entry) => JSON.stringify(entry).includes(link.token))).toEqual([]);
    expect(await events(1)).toMatchObject([
      {
        event: 'impersonation.create_link',
        actor_type: 'operator',
        actor_name: 'grace',
        target_id: userIdOf(ada),
        details: { statedReason: reason },
      },
    ]);
  });

  test('opens a session as the user, and the session and every event name the operator', async () => {
    const ada = await signUp(service);
    const browser = service.browser();
    const answer = await useImpersonationLink(browser, await createImpersonationLink(service, ada));
    expect(answer.status).toBe(200);
    expect(answer.body.user.id).toBe(userIdOf(ada));
    expect(answer.body.session.impersonator).toEqual({ type: 'operator', id: null, name: 'grace' });
    expectProblem(await browser.delete('/auth/sessions'), 'impersonating');
    await browser.delete('/auth/session');
    const operator = {
      impersonator_type: 'operator',
      impersonator_id: null,
      impersonator_name: 'grace',
      actor_id: userIdOf(ada),
    };
    expect(await events(3)).toMatchObject([
      {
        event: 'impersonation.start',
        actor_type: 'operator',
        actor_name: 'grace',
        ip: expect.any(String),
        details: { statedReason: reason, sessionId: answer.body.session.id },
      },
      { event: 'session.revoke_others', outcome: 'failure', ...operator },
      { event: 'impersonation.end', outcome: 'success', ...operator },
    ]);
  });

  test('works once, even if twenty browsers open it at the same time', async () => {
    const ada = await signUp(service);
    const token = await createImpersonationLink(service, ada);
    const browsers = Array.from({ length: 20 }, () => service.browser());
    const answers = await together(browsers.map((browser) => () => useImpersonationLink(browser, token)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 200))
      expectProblem(answer, 'authentication_failed');
    expectProblem(await useImpersonationLink(service.browser(), token), 'authentication_failed');
  });

  test('is replaced by a new link to the same account', async () => {
    const ada = await signUp(service);
    const first = await createImpersonationLink(service, ada);
    const second = await createImpersonationLink(service, ada);
    expectProblem(await useImpersonationLink(service.browser(), first), 'authentication_failed');
    expect((await useImpersonationLink(service.browser(), second)).status).toBe(200);
  });

  test('is the only link to the account, even if ten links are created at the same time', async () => {
    const ada = await signUp(service);
    const create = () => createImpersonationLink(service, ada);
    const tokens = await together(Array.from({ length: 10 }, () => create));
    const rows = await service.database.sql`
      select token_hash from latchkey.impersonation_links where user_id = ${userIdOf(ada)}`;
    expect(rows).toHaveLength(1);
    const answers = [];
    for (const token of tokens) answers.push(await useImpersonationLink(service.browser(), token));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test.each<[what: string, end: (ada: Person, boss: Person) => Promise<unknown>]>([
    ['all sessions of the user are ended', (ada, boss) => endSessionsOf(boss.browser, ada)],
    [
      'an operator ends all sessions of the user',
      (ada) => service.auth.asOperator('ops').users.endSessions(ada.username),
    ],
    ['the user ends all other sessions', (ada) => ada.browser.delete('/auth/sessions')],
    ['the user adds a password', (ada) => addPassword(ada.browser)],
    ['the user becomes an admin', (ada, boss) => changeRole(boss.browser, ada, 'admin')],
    [
      'the user accepts an invitation to become an admin',
      async (ada, boss) => accept(ada.browser, await invite(boss.browser)),
    ],
    [
      'the user is disabled and enabled again',
      async (ada, boss) => {
        await disable(boss.browser, ada);
        await enable(boss.browser, ada);
      },
    ],
  ])('opens no session after %s', async (_, end) => {
    const [ada, boss] = [await signUp(service), await signUpAs(service, 'superadmin')];
    const token = await createImpersonationLink(service, ada);
    await end(ada, boss);
    expectProblem(await useImpersonationLink(service.browser(), token), 'authentication_failed');
    expect(await events(1)).toMatchObject([
      { event: 'impersonation.start', details: { reason: 'link_unknown_or_used' } },
    ]);
  });

  test('expires after five minutes', async () => {
    const local = await startFrozenService({ bcryptCost: 4, impersonation: true });
    try {
      const ada = await signUp(local);
      const [used, late] = [await createImpersonationLink(local, ada), await signUp(local)];
      const lateToken = await createImpersonationLink(local, late);
      await local.turnClock({ minutes: 4, seconds: 55 });
      expect((await useImpersonationLink(local.browser(), used)).status).toBe(200);
      await local.turnClock({ seconds: 6 });
      expectProblem(await useImpersonationLink(local.browser(), lateToken), 'authentication_failed');
      expect((await local.auditRows()).at(-1)).toMatchObject({ details: { reason: 'link_expired' } });
    } finally {
      await local.close();
    }
  });

  test.each([
    ['becomes a superadmin', `role = 'superadmin'`, 'role_not_lower'],
    ['is disabled', `status = 'disabled'`, 'account_disabled'],
  ])('opens no session after the user %s', async (_, change, detail) => {
    const ada = await signUp(service);
    const token = await createImpersonationLink(service, ada);
    await service.database.sql.unsafe(`update latchkey.users set ${change} where id = '${userIdOf(ada)}'`);
    const browser = service.browser();
    expectProblem(await useImpersonationLink(browser, token), 'authentication_failed');
    expect(await events(1)).toMatchObject([
      { event: 'impersonation.start', outcome: 'failure', details: { reason: detail } },
    ]);
    expect(await isSignedIn(browser)).toBe(false);
  });

  test('ends the session of the browser, and the earlier session of the operator as the same user', async () => {
    const [ada, ben] = [await signUp(service), await signUp(service)];
    const earlier = await operatorAs(service, ada);
    const token = await createImpersonationLink(service, ada);
    const own = ben.browser.copy();
    expect((await useImpersonationLink(ben.browser, token)).status).toBe(200);
    expect(await isSignedIn(own)).toBe(false);
    expect(await isSignedIn(earlier)).toBe(false);
    expect((await currentSession(ben.browser)).impersonator.name).toBe('grace');
  });
});

describe('an operator gets no link', () => {
  test('to the account of a superadmin', async () => {
    const { username } = await signUpAs(service, 'superadmin');
    const operator = service.auth.asOperator('grace');
    await expect(operator.users.impersonate(username, { reason })).rejects.toMatchObject({
      code: 'forbidden',
    });
    expect(await events(1)).toMatchObject([
      { event: 'impersonation.create_link', outcome: 'failure', details: { reason: 'role_not_lower' } },
    ]);
  });

  test.each([undefined, '', ' ', 'a'.repeat(201), 'a\nb'])('with the reason %j', async (given) => {
    const { username } = await signUp(service);
    const request = { reason: given as string };
    await expect(service.auth.asOperator('grace').users.impersonate(username, request)).rejects.toThrow(
      TypeError('reason: expected 1 to 200 characters without control characters'),
    );
  });
});
