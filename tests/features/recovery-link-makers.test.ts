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

/** A link that a superadmin has made for somebody. */
async function linkByPerson() {
  const [maker, person] = [await signUp(service), await signUp(service)];
  await setRole(service, maker, 'superadmin');
  const { body } = await maker.browser.post(`/auth/admin/users/${userIdOf(person)}/recovery`);
  return { maker, person, token: body.token as string };
}

/** Expects that a link opens nothing where this happens between reading it and using it up: it is read again. */
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

const falls = [
  ['is a user again', `update latchkey.users set role = 'user' where id = $1`, 'maker_no_longer_entitled'],
  ['is disabled', `update latchkey.users set status = 'disabled' where id = $1`, 'maker_no_longer_entitled'],
  ['is gone', `delete from latchkey.users where id = $1`, 'link_unknown_or_used'],
] as const;

describe('a link whose maker', () => {
  test.each(falls)('%s is void', async (_, statement, reason) => {
    const { maker, person, token } = await linkByPerson();
    await change(statement, maker);
    expect(await reasonOfRefusal(service, await use(token))).toBe(reason);
    expect(await recoverySessionsOf(service, person)).toEqual([]);
  });

  test.each(falls)('%s between reading and using the link is void', async (_, statement, reason) => {
    const link = await linkByPerson();
    await expectOvertaken(link, () => change(statement, link.maker), reason);
  });

  test('was demoted to admin is void for an admin and for a superadmin', async () => {
    for (const role of ['admin', 'superadmin']) {
      const { maker, person, token } = await linkByPerson();
      await setRole(service, maker, 'admin');
      await setRole(service, person, role);
      expect(await reasonOfRefusal(service, await use(token))).toBe('maker_no_longer_entitled');
    }
  });

  test('is still a superadmin can be used in every role of its user', async () => {
    const { person, token } = await linkByPerson();
    await setRole(service, person, 'superadmin');
    expect((await use(token)).body.user).toMatchObject({ id: userIdOf(person), role: 'superadmin' });
  });

  test('is a superadmin again can be used: the refusal before did not use it up', async () => {
    const { maker, token } = await linkByPerson();
    await setRole(service, maker, 'user');
    expectProblem(await use(token), 'authentication_failed');
    await setRole(service, maker, 'superadmin');
    expect((await use(token)).status).toBe(200);
  });

  test('has logged out can be used', async () => {
    const { maker, token } = await linkByPerson();
    await maker.browser.delete('/auth/session');
    expect((await use(token)).status).toBe(200);
  });
});

describe('a link that is made while its maker', () => {
  test.each(falls)('%s opens nothing', async (_, statement) => {
    const [maker, person] = [await signUp(service), await signUp(service)];
    await setRole(service, maker, 'superadmin');
    const { answer, changed } = await meet(service, {
      before: /insert into latchkey\.recovery_links/,
      change: () => change(statement, maker),
      act: (instance) =>
        instance.browser(maker.browser.cookies).post(`/auth/admin/users/${userIdOf(person)}/recovery`),
    });
    expect(changed).toBe(1);
    expect([201, 401, 403]).toContain(answer.status);
    if (answer.status === 201) expectProblem(await use(answer.body.token), 'authentication_failed');
    expect(await recoverySessionsOf(service, person)).toEqual([]);
  });
});

describe('a link whose user', () => {
  test.each([
    [
      'is disabled',
      `update latchkey.users set status = 'disabled', version = version + 1 where id = $1`,
      'user_disabled',
    ],
    ['is gone', `delete from latchkey.users where id = $1`, 'link_unknown_or_used'],
    [
      'gets another',
      `update latchkey.recovery_links set token_hash = 'another' where user_id = $1`,
      'link_unknown_or_used',
    ],
    [
      'runs out of time',
      `update latchkey.recovery_links set expires_at = latchkey.clock() where user_id = $1`,
      'link_expired',
    ],
    [
      'has completed a recovery',
      `delete from latchkey.recovery_links where user_id = $1`,
      'link_unknown_or_used',
    ],
  ])('%s between reading and using it opens nothing', async (_, statement, reason) => {
    const link = await linkByPerson();
    await expectOvertaken(link, () => change(statement, link.person), reason);
  });
});
