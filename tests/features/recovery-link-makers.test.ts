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

/** Expects that the link opens nothing where it is met by this between its being read and its being used. */
async function expectOvertaken(person: Person, token: string, by: () => Promise<{ count: number }>) {
  const { answer, changed } = await meet(service, {
    before: /delete from latchkey\.recovery_links/,
    change: by,
    act: (instance) => use(token, instance.browser()),
  });
  expect(changed).toBe(1);
  expect(await reasonOfRefusal(service, answer)).toBe('overtaken');
  expect(await recoverySessionsOf(service, person)).toEqual([]);
}

const falls = [
  ['is a user again', `update latchkey.users set role = 'user' where id = $1`],
  ['is disabled', `update latchkey.users set status = 'disabled' where id = $1`],
  ['is gone', `delete from latchkey.users where id = $1`],
] as const;

describe('a link whose maker', () => {
  test.each([
    ...falls.map(
      ([name, statement]) =>
        [name, statement, name === 'is gone' ? 'link_unknown_or_used' : 'maker_no_longer_entitled'] as const,
    ),
  ])('%s is void', async (_, statement, reason) => {
    const { maker, person, token } = await linkByPerson();
    await change(statement, maker);
    expect(await reasonOfRefusal(service, await use(token))).toBe(reason);
    expect(await recoverySessionsOf(service, person)).toEqual([]);
  });

  test.each(falls)('%s between its being read and its being used is void', async (_, statement) => {
    const { maker, person, token } = await linkByPerson();
    await expectOvertaken(person, token, () => change(statement, maker));
  });

  test('is an admin now is void for an admin, and for everybody who is not below', async () => {
    for (const role of ['admin', 'superadmin']) {
      const { maker, person, token } = await linkByPerson();
      await setRole(service, maker, 'admin');
      await setRole(service, person, role);
      expect(await reasonOfRefusal(service, await use(token))).toBe('maker_no_longer_entitled');
    }
  });

  test('is a superadmin still serves whoever it is for, whatever has become of their role', async () => {
    const { person, token } = await linkByPerson();
    await setRole(service, person, 'superadmin');
    expect((await use(token)).body.user).toMatchObject({ id: userIdOf(person), role: 'superadmin' });
  });

  test('was in doubt for a while serves once they are what they were: nothing was used up', async () => {
    const { maker, token } = await linkByPerson();
    await setRole(service, maker, 'user');
    expectProblem(await use(token), 'authentication_failed');
    await setRole(service, maker, 'superadmin');
    expect((await use(token)).status).toBe(200);
  });

  test('has logged out since serves all the same', async () => {
    const { maker, token } = await linkByPerson();
    await maker.browser.delete('/auth/session');
    expect((await use(token)).status).toBe(200);
  });
});

describe('a link that is made while its maker falls', () => {
  test.each(falls)('since the maker %s, lets nobody in', async (_, statement) => {
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

describe('a link whose person', () => {
  test.each([
    ['is disabled', `update latchkey.users set status = 'disabled' where id = $1`],
    ['is gone', `delete from latchkey.users where id = $1`],
    ['gets another', `update latchkey.recovery_links set token_hash = 'another' where user_id = $1`],
    [
      'has no time left',
      `update latchkey.recovery_links set expires_at = latchkey.clock() where user_id = $1`,
    ],
    ['has completed a recovery', `delete from latchkey.recovery_links where user_id = $1`],
  ])('%s between its being read and its being used opens nothing', async (_, statement) => {
    const { person, token } = await linkByPerson();
    await expectOvertaken(person, token, () => change(statement, person));
  });
});
