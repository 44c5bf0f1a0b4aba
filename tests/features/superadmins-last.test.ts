import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Answer } from '../support/agent.ts';
import { type Person, userIdOf } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { auditRowsAbout, wholeAuditRowsOf } from './support/audit-log.ts';
import {
  activeSuperadmins,
  changeRole,
  deleteAccount,
  deleteUser,
  disable,
  enable,
  leaveSuperadmins,
  signUpAs,
} from './support/authority.ts';
import { currentUser } from './support/current-session.ts';

let service: TestService;
let last: Person;
beforeAll(async () => {
  service = await startTestService();
});
beforeEach(async () => {
  last = await signUpAs(service, 'superadmin');
  await leaveSuperadmins(service, [last]);
});
afterAll(() => service.close());

type Path = [name: string, event: string, act: (person: Person) => Promise<Answer>];
const ownPaths: Path[] = [
  ['demote themselves to admin', 'user.change_role', (person) => changeRole(person.browser, person, 'admin')],
  ['demote themselves to user', 'user.change_role', (person) => changeRole(person.browser, person, 'user')],
  ['disable themselves', 'user.disable', (person) => disable(person.browser, person)],
  [
    'delete their account through /auth/admin/users',
    'user.delete',
    (person) => deleteUser(person.browser, person),
  ],
  ['delete their account through /auth/account', 'account.delete', (person) => deleteAccount(person.browser)],
];

const operator = () => service.auth.asOperator('ops').users;
const operatorPaths: [name: string, event: string, act: (username: string) => Promise<unknown>][] = [
  ['demoted to user', 'user.change_role', (username) => operator().changeRole(username, 'user')],
  ['disabled', 'user.disable', (username) => operator().disable(username)],
  ['deleted', 'user.delete', (username) => operator().delete(username)],
];

async function expectUntouched(): Promise<void> {
  expect(await activeSuperadmins(service)).toEqual([last.username]);
  expect(await currentUser(last.browser)).toMatchObject({ role: 'superadmin', passkeyCount: 1 });
}

describe('the last active superadmin', () => {
  test.each(ownPaths)('cannot %s, and the attempt is recorded', async (_, event, act) => {
    const answer = await act(last);
    expectProblem(answer, 'last_superadmin');
    expect(answer.headers.getSetCookie()).toEqual([]);
    await expectUntouched();
    expect(await wholeAuditRowsOf(service, answer)).toMatchObject([
      {
        event,
        outcome: 'failure',
        actor_id: userIdOf(last),
        target_type: 'user',
        target_id: userIdOf(last),
        target_name: last.username,
        details: { reason: 'last_superadmin' },
      },
    ]);
  });

  test.each(operatorPaths)(
    'cannot be %s by an operator, and the attempt is recorded',
    async (_, event, act) => {
      await expect(act(last.username)).rejects.toMatchObject({ code: 'last_superadmin', status: 409 });
      await expectUntouched();
      expect(await auditRowsAbout(service, last, event)).toMatchObject([
        {
          outcome: 'failure',
          actor_type: 'operator',
          actor_name: 'ops',
          details: { reason: 'last_superadmin' },
        },
      ]);
    },
  );

  test.each(ownPaths)('cannot %s if the other superadmin is disabled', async (_, event, act) => {
    const other = await signUpAs(service, 'superadmin');
    expect((await disable(last.browser, other)).status).toBe(200);
    expectProblem(await act(last), 'last_superadmin');
    await expectUntouched();
    expect(await auditRowsAbout(service, last, event)).toHaveLength(1);
  });

  test.each(ownPaths)('can %s after another superadmin is enabled', async (_, event, act) => {
    const other = await signUpAs(service, 'superadmin');
    await disable(last.browser, other);
    await enable(last.browser, other);
    expect([200, 204]).toContain((await act(last)).status);
    expect(await activeSuperadmins(service)).toEqual([other.username]);
    expect(await auditRowsAbout(service, last, event)).toMatchObject([{ outcome: 'success' }]);
  });

  test('can get the same role again and can be enabled again, without effect', async () => {
    expect((await changeRole(last.browser, last, 'superadmin')).status).toBe(200);
    expect((await enable(last.browser, last)).status).toBe(200);
    await expectUntouched();
  });
});

describe('a disabled superadmin', () => {
  test.each<[name: string, act: (person: Person) => Promise<Answer>]>([
    ['demoted to user', (person) => changeRole(last.browser, person, 'user')],
    ['deleted', (person) => deleteUser(last.browser, person)],
    ['disabled again', (person) => disable(last.browser, person)],
  ])('can be %s while another superadmin is active', async (_, act) => {
    const other = await signUpAs(service, 'superadmin');
    await disable(last.browser, other);
    expect([200, 204]).toContain((await act(other)).status);
    await expectUntouched();
  });
});

test('two of three superadmins can demote themselves, but the third cannot', async () => {
  const others = [await signUpAs(service, 'superadmin'), await signUpAs(service, 'superadmin')];
  for (const other of others) expect((await changeRole(other.browser, other, 'user')).status).toBe(200);
  expectProblem(await changeRole(last.browser, last, 'user'), 'last_superadmin');
  await expectUntouched();
});
