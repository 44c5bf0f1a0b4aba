import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Person, signUp } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { startSecondInstance } from '../support/second-instance.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { reasonOfRefusal } from './support/refused-sign-in.ts';

const usePath = '/auth/recovery/assisted/use';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const userIdOf = ({ signedUp }: Person): string => signedUp.body.user.id;
const change = (statement: string, person: Person) =>
  service.database.sql.unsafe(statement, [userIdOf(person)]);
const use = (token: string, browser = service.browser()) => browser.post(usePath, { token });

/** A link that a superadmin has made for somebody. */
async function linkByPerson() {
  const [maker, person] = [await signUp(service), await signUp(service)];
  await change(`update latchkey.users set role = 'superadmin' where id = $1`, maker);
  const { body } = await maker.browser.post(`/auth/admin/users/${userIdOf(person)}/recovery`);
  return { maker, person, token: body.token as string };
}

const sessionsOf = (person: Person) =>
  service.database.sql`
    select from latchkey.sessions where user_id = ${userIdOf(person)} and kind = 'recovery'`;

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
    expect(await sessionsOf(person)).toEqual([]);
  });

  test.each(falls)('%s between its being read and its being used is void', async (_, statement) => {
    const { maker, person, token } = await linkByPerson();
    let changed = 0;
    const instance = await startSecondInstance(service, {}, async (text) => {
      if (text.includes('delete from latchkey.recovery_links'))
        changed += (await change(statement, maker)).count;
    });
    const answer = await use(token, instance.browser());
    await instance.close();
    expect(changed).toBe(1);
    expect(await reasonOfRefusal(service, answer)).toBe('overtaken');
    expect(await sessionsOf(person)).toEqual([]);
  });

  test('is an admin now is void for an admin, and for everybody who is not below', async () => {
    for (const role of ['admin', 'superadmin']) {
      const { maker, person, token } = await linkByPerson();
      await change(`update latchkey.users set role = 'admin' where id = $1`, maker);
      await change(`update latchkey.users set role = '${role}' where id = $1`, person);
      expect(await reasonOfRefusal(service, await use(token))).toBe('maker_no_longer_entitled');
    }
  });

  test('is a superadmin still serves whoever it is for, whatever has become of their role', async () => {
    const { person, token } = await linkByPerson();
    await change(`update latchkey.users set role = 'superadmin' where id = $1`, person);
    expect((await use(token)).body.user).toMatchObject({ id: userIdOf(person), role: 'superadmin' });
  });

  test('was in doubt for a while serves once they are what they were: nothing was used up', async () => {
    const { maker, token } = await linkByPerson();
    await change(`update latchkey.users set role = 'user' where id = $1`, maker);
    expectProblem(await use(token), 'authentication_failed');
    await change(`update latchkey.users set role = 'superadmin' where id = $1`, maker);
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
    await change(`update latchkey.users set role = 'superadmin' where id = $1`, maker);
    let changed = 0;
    const instance = await startSecondInstance(service, {}, async (text) => {
      if (text.includes('insert into latchkey.recovery_links'))
        changed += (await change(statement, maker)).count;
    });
    const answer = await instance
      .browser(maker.browser.cookies)
      .post(`/auth/admin/users/${userIdOf(person)}/recovery`);
    await instance.close();
    expect(changed).toBe(1);
    expect([201, 401, 403]).toContain(answer.status);
    if (answer.status === 201) expectProblem(await use(answer.body.token), 'authentication_failed');
    expect(await sessionsOf(person)).toEqual([]);
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
    let changed = 0;
    const instance = await startSecondInstance(service, {}, async (text) => {
      if (text.includes('delete from latchkey.recovery_links'))
        changed += (await change(statement, person)).count;
    });
    const answer = await use(token, instance.browser());
    await instance.close();
    expect(changed).toBe(1);
    expect(await reasonOfRefusal(service, answer)).toBe('overtaken');
    expect(await sessionsOf(person)).toEqual([]);
  });
});
