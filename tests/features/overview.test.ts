import { createInMemoryDatabase } from 'latchkey/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '../support/agent.ts';
import { addPasskey, type Person, signUp } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { startServiceOn } from '../support/service-on.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { disable, invite, signUpAs } from './support/authority.ts';
import { signUpWithOnlyPassword } from './support/passwords.ts';
import { signUpWithCodes } from './support/recovery.ts';

const path = '/auth/admin/overview';

const expectInvalid = ({ status, body }: Answer) =>
  expect([status, body.code]).toEqual([400, 'invalid_request']);

let service: TestService;
let root: Person;
beforeAll(async () => {
  service = await startTestService({ bcryptCost: 4 });
  root = await signUpAs(service, 'superadmin');
});
afterAll(() => service.close());

const overview = async (query = '') => (await root.browser.get(`${path}?${query}`)).body;

describe('the overview', () => {
  test('counts accounts by their ways to sign in, and says what needs attention', async () => {
    const before = await overview();
    expect(before.attention).toEqual([
      { kind: 'only_superadmin', count: 1 },
      { kind: 'superadmins_with_fewer_than_two_passkeys', count: 1 },
      { kind: 'superadmins_without_recovery_codes', count: 1 },
    ]);
    const two = await signUp(service);
    await addPasskey(two.browser);
    await signUpWithCodes(service);
    await signUpWithOnlyPassword(service);
    const lost = await signUp(service);
    await service.database.sql`delete from latchkey.passkeys where user_id = ${lost.signedUp.body.user.id}`;
    const off = await signUp(service);
    await disable(root.browser, off);
    const admin = await signUpAs(service, 'admin');
    await service.database.sql`delete from latchkey.passkeys where user_id = ${admin.signedUp.body.user.id}`;
    await invite(root.browser, {});

    const { users, attention, pendingInvitations, activeUsers } = await overview('period=30d');
    expect(users).toMatchObject({
      total: 7,
      disabled: 1,
      created: { count: 7, previous: 0 },
      withPasskey: 3,
      withTwoPasskeys: 1,
      withRecoveryCodes: 1,
      withOnlyPassword: 1,
    });
    expect(attention.slice(3)).toEqual([
      { kind: 'admins_without_passkey', count: 1 },
      { kind: 'users_without_way_in', count: 2 },
      { kind: 'users_without_passkey', count: 3 },
    ]);
    expect(pendingInvitations).toEqual({ admin: 1, user: 0, organization: 0 });
    expect(activeUsers.count).toBeGreaterThanOrEqual(6);
  });

  test('has one item for each hour or day', async () => {
    for (const [period, count] of [
      ['24h', 24],
      ['7d', 7],
      ['30d', 30],
      ['90d', 90],
    ]) {
      const { signIns, period: given, timeZone } = await overview(`period=${period}&timeZone=Asia/Kolkata`);
      expect([given, timeZone, signIns.buckets.length]).toEqual([period, 'Asia/Kolkata', count]);
    }
  });

  test.each(['period=1d', 'period=', 'timeZone=Mars', 'timeZone=', 'timeZone=UTC&timeZone=UTC', 'from=x'])(
    'rejects the query %s',
    async (query) => {
      expectInvalid(await root.browser.get(`${path}?${query}`));
    },
  );

  test('is refused for an admin, and the refusal is recorded', async () => {
    const admin = await signUpAs(service, 'admin');
    expectProblem(await admin.browser.get(path), 'forbidden');
    expect((await service.auditRows()).at(-1)).toMatchObject({
      event: 'overview.get',
      outcome: 'failure',
      actor_name: admin.username,
      details: { reason: 'role_too_low' },
    });
  });

  test('works in the in-memory database', async () => {
    const database = createInMemoryDatabase();
    const inMemory = await startServiceOn(database, { migrate: true });
    const person = await signUp(inMemory);
    await database.query({
      text: `update latchkey.users set role = 'superadmin'`,
      values: [],
      auditEvents: [],
      invalidates: [],
    });
    const { status, body } = await person.browser.get(`${path}?period=24h`);
    expect([status, body.users?.total, body.activeUsers, body.isComplete]).toEqual([
      200,
      1,
      { count: 1, previous: 0 },
      true,
    ]);
    const own = await person.browser.get('/auth/account/events?limit=1');
    expect(own.body.events.map(({ event }: { event: string }) => event)).toEqual(['account.signup']);
    await inMemory.close();
  });
});
