import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Person, signUp, userIdOf } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { meet } from '../support/second-instance.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { setRole } from './support/accounts.ts';
import { recoverySessionsOf, useLink } from './support/recovery.ts';
import { reasonOfRefusal } from './support/refused-sign-in.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const change = (statement: string, person: Person) =>
  service.database.sql.unsafe(statement, [userIdOf(person)]);
const use = (token: string, browser = service.browser()) => useLink(browser, token);

async function linkBySuperadmin() {
  const [creator, person] = [await signUp(service), await signUp(service)];
  await setRole(service, creator, 'superadmin');
  const { body } = await creator.browser.post(`/auth/admin/users/${userIdOf(person)}/recovery`);
  return { creator, person, token: body.token as string };
}

/** Expects that a link is rejected if `by` runs after the service has read the link and before the link is used up. */
async function expectOvertaken(
  { person, token }: { person: Person; token: string },
  by: () => Promise<{ count: number }>,
  reason: string,
) {
  const { answer, changed } = await meet(service, {
    before: /update latchkey\.recovery_links/,
    change: by,
    act: (instance) => use(token, instance.browser()),
  });
  expect(changed).toBe(1);
  expect(await reasonOfRefusal(service, answer)).toBe(reason);
  expect(await recoverySessionsOf(service, person)).toEqual([]);
}

const creatorChanges = [
  [
    'is demoted to user',
    `update latchkey.users set role = 'user' where id = $1`,
    'creator_no_longer_entitled',
  ],
  [
    'is disabled',
    `update latchkey.users set status = 'disabled' where id = $1`,
    'creator_no_longer_entitled',
  ],
  ['is deleted', `delete from latchkey.users where id = $1`, 'link_unknown_or_used'],
] as const;

describe('a recovery link', () => {
  test.each(creatorChanges)('is rejected if its creator %s', async (_, statement, reason) => {
    const { creator, person, token } = await linkBySuperadmin();
    await change(statement, creator);
    expect(await reasonOfRefusal(service, await use(token))).toBe(reason);
    expect(await recoverySessionsOf(service, person)).toEqual([]);
  });

  test.each(creatorChanges)(
    'is rejected if its creator %s while the link is being used',
    async (_, statement, reason) => {
      const link = await linkBySuperadmin();
      await expectOvertaken(link, () => change(statement, link.creator), reason);
    },
  );

  test('of a creator who is demoted from superadmin to admin is rejected if its user is an admin or a superadmin', async () => {
    for (const role of ['admin', 'superadmin']) {
      const { creator, person, token } = await linkBySuperadmin();
      await setRole(service, creator, 'admin');
      await setRole(service, person, role);
      expect(await reasonOfRefusal(service, await use(token))).toBe('creator_no_longer_entitled');
    }
  });

  test('of a superadmin works even if its user has become a superadmin', async () => {
    const { person, token } = await linkBySuperadmin();
    await setRole(service, person, 'superadmin');
    expect((await use(token)).body.user).toMatchObject({ id: userIdOf(person), role: 'superadmin' });
  });

  test('works after its creator is demoted and promoted again, because a rejected attempt does not use up the link', async () => {
    const { creator, token } = await linkBySuperadmin();
    await setRole(service, creator, 'user');
    expectProblem(await use(token), 'authentication_failed');
    await setRole(service, creator, 'superadmin');
    expect((await use(token)).status).toBe(200);
  });

  test('works after its creator has signed out', async () => {
    const { creator, token } = await linkBySuperadmin();
    await creator.browser.delete('/auth/session');
    expect((await use(token)).status).toBe(200);
  });
});

describe('a recovery link opens no session if its creator', () => {
  test.each(creatorChanges)('%s while the link is being created', async (_, statement) => {
    const [creator, person] = [await signUp(service), await signUp(service)];
    await setRole(service, creator, 'superadmin');
    const { answer, changed } = await meet(service, {
      before: /insert into latchkey\.recovery_links/,
      change: () => change(statement, creator),
      act: (instance) =>
        instance.browser(creator.browser.cookies).post(`/auth/admin/users/${userIdOf(person)}/recovery`),
    });
    expect(changed).toBe(1);
    expect([201, 401, 403]).toContain(answer.status);
    if (answer.status === 201) expectProblem(await use(answer.body.token), 'authentication_failed');
    expect(await recoverySessionsOf(service, person)).toEqual([]);
  });
});

describe('a recovery link is rejected if, after the service has read the link,', () => {
  test.each([
    [
      'its user is disabled',
      `update latchkey.users set status = 'disabled', version = version + 1 where id = $1`,
      'user_disabled',
    ],
    ['its user is deleted', `delete from latchkey.users where id = $1`, 'link_unknown_or_used'],
    [
      'a second link replaces the link',
      `update latchkey.recovery_links set token_hash = 'another' where user_id = $1`,
      'link_unknown_or_used',
    ],
    [
      'the link expires',
      `update latchkey.recovery_links set expires_at = latchkey.clock() where user_id = $1`,
      'link_expired',
    ],
    [
      'its user completes a recovery',
      `delete from latchkey.recovery_links where user_id = $1`,
      'link_unknown_or_used',
    ],
  ])('%s', async (_, statement, reason) => {
    const link = await linkBySuperadmin();
    await expectOvertaken(link, () => change(statement, link.person), reason);
  });
});
