import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Person, signUp, userIdOf } from '../support/person.ts';
import { meet } from '../support/second-instance.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { deleteUser, disable, enable, help, signUpAs } from './support/authority.ts';
import { createLink, linkRowsOf, recoverySessionsOf, useLink } from './support/recovery.ts';
import { reasonOfRefusal } from './support/refused-sign-in.ts';

let service: TestService;
let superadmin: Person;
beforeAll(async () => {
  service = await startTestService();
  superadmin = await signUpAs(service, 'superadmin');
});
afterAll(() => service.close());

test.each([
  ['disabled', disable, [409, 'account_disabled']],
  ['deleted', deleteUser, [404, 'not_found']],
] as const)(
  'no recovery link is created for a user who is %s before the statement runs',
  async (_, block, refusal) => {
    const person = await signUp(service);
    const { answer, changed } = await meet(service, {
      before: /insert into latchkey\.recovery_links/,
      change: async () => {
        await block(superadmin.browser, person);
        return { count: 1 };
      },
      act: (instance) => help(instance.browser(superadmin.browser.cookies), person),
    });
    expect(changed).toBe(1);
    expect([answer.status, answer.body.code]).toEqual(refusal);
    await enable(superadmin.browser, person);
    expect(await linkRowsOf(service, person)).toEqual([]);
  },
);

test('a recovery link that expires before the statement runs opens no session', async () => {
  const person = await signUp(service);
  const { token } = await createLink(service, person);
  const { answer, changed } = await meet(service, {
    before: /update latchkey\.recovery_links/,
    change: () => service.database.sql`
      update latchkey.recovery_links set expires_at = latchkey.clock() where user_id = ${userIdOf(person)}`,
    act: (instance) => useLink(instance.browser(), token),
  });
  expect(changed).toBe(1);
  expect(await reasonOfRefusal(service, answer)).toBe('link_expired');
  expect(await recoverySessionsOf(service, person)).toEqual([]);
});
