import { afterAll, beforeAll, expect, test } from 'vitest';
import { runtimeOf } from '../../src/service/auth-service.ts';
import { removeExpired, updateFigures } from '../../src/service/housekeeping.ts';
import { type ServiceOn, startServiceOn } from '../support/service-on.ts';
import type { TestDatabase } from '../support/test-database.ts';
import { type DumpedUser, dumpedAt, userIdOf } from './support/dumped-users.ts';
import { restoreDump } from './support/restored-database.ts';

let database: TestDatabase;
let service: ServiceOn;
/** Restores the last version without a record of sign-ins, adds sign-ins, and upgrades. */
beforeAll(async () => {
  database = await restoreDump(23);
  const { sql } = database;
  await sql.unsafe(`
    alter table latchkey.audit_events disable trigger user;
    truncate latchkey.audit_events;
    alter table latchkey.audit_events enable trigger user;`);
  await sql`delete from latchkey.sessions`;
  await sql`update latchkey.passkeys set last_used_at = null`;

  await event('ada', -5, 'account.signup', 'Phone');
  await event('ada', -3, 'password.login', 'Laptop');
  await event('ada', -4, 'passkey.login', 'Tablet');
  await event('ben', -6, 'recovery_link.use', 'Kiosk');
  await session('ben', -1, 'recovery_code', 'Library');
  await event('cora', -9, 'passkey.login', 'Old phone');
  await sql`update latchkey.passkeys set last_used_at = ${hoursFrom(-7)} where user_id = ${userIdOf('cora')}`;
  await event('dora', -8, 'passkey.login', 'Deleted');
  await event('eli', -2, 'passkey.login', 'Thief', { outcome: 'failure' });
  await event('eli', -2, 'session.revoke', 'Phone');
  await event('fay', -2, 'passkey.login', 'Support', { impersonator: true });
  await session('fay', -1, 'impersonation', 'Support');

  service = await startServiceOn(database.url, {
    migrate: true,
    clock: () => new Date(dumpedAt),
    bcryptCost: 4,
  });
});
afterAll(async () => {
  await service.close();
  await database.drop();
});

const hoursFrom = (hours: number) => new Date(Date.parse(dumpedAt) + hours * 3_600_000).toISOString();

const event = (
  username: DumpedUser,
  hours: number,
  name: string,
  userAgent: string,
  { outcome = 'success', impersonator = false } = {},
) => database.sql`
  insert into latchkey.audit_events
    (id, at, event, outcome, actor_type, actor_id, actor_name, user_agent, details,
     impersonator_type, impersonator_id, impersonator_name)
  values (gen_random_uuid(), ${hoursFrom(hours)}, ${name}, ${outcome}, 'user', ${userIdOf(username)}, ${username},
    ${userAgent}, '{}', ${impersonator ? 'user' : null}, ${impersonator ? userIdOf('rosa') : null},
    ${impersonator ? 'rosa' : null})`;

const session = (username: DumpedUser, hours: number, method: string, userAgent: string) => database.sql`
  insert into latchkey.sessions
    (id, user_id, token_hash, kind, method, created_at, last_seen_at, authenticated_at, ends_at, expires_at,
     user_agent, epoch, impersonator_type, impersonator_id, impersonator_name, impersonator_epoch)
  select gen_random_uuid(), ${userIdOf(username)}, ${username}, 'full', ${method}, ${hoursFrom(hours)},
    ${hoursFrom(hours)}, ${hoursFrom(hours)}, ${hoursFrom(24)}, ${hoursFrom(24)}, ${userAgent}, ${method === 'impersonation' ? -1 : 0},
    ${method === 'impersonation' ? 'user' : null}, ${method === 'impersonation' ? userIdOf('rosa') : null},
    ${method === 'impersonation' ? 'rosa' : null}, ${method === 'impersonation' ? 0 : null}::integer`;

const never = { at: '1970-01-01T00:00:00.000Z', method: null, userAgent: null };

test.each<[string, DumpedUser, object]>([
  ['uses the latest sign-in event', 'ada', { at: hoursFrom(-3), method: 'password', userAgent: 'Laptop' }],
  [
    'prefers a live session that is newer than the last event',
    'ben',
    { at: hoursFrom(-1), method: 'recovery_code', userAgent: 'Library' },
  ],
  [
    'prefers a use of a passkey that is newer than the last event',
    'cora',
    { at: hoursFrom(-7), method: 'passkey', userAgent: null },
  ],
  ['ignores refused sign-ins and other events', 'eli', never],
  ['ignores impersonations', 'fay', never],
])('to find the last sign-in of each user, the upgrade %s', async (_, username, expected) => {
  const rows = await database.sql`
    select last_sign_in_at, sign_in_method, sign_in_user_agent from latchkey.user_sign_ins
    where user_id = ${userIdOf(username)}`;
  expect(
    rows.map(({ last_sign_in_at, sign_in_method, sign_in_user_agent }) => ({
      at: last_sign_in_at.toISOString(),
      method: sign_in_method,
      userAgent: sign_in_user_agent,
    })),
  ).toEqual([expected]);
});

test('after the upgrade, each account that is not deleted has exactly one record', async () => {
  const rows = await database.sql`
    select users.id from latchkey.users full join latchkey.user_sign_ins on user_sign_ins.user_id = users.id
    where (users.deleted_at is null) <> (user_sign_ins.user_id is not null)`;
  expect(rows).toEqual([]);
});

test('after the upgrade, the figures of the overview contain the earlier sign-ins and all users', async () => {
  // Also counts the sign-ins of each hour.
  await removeExpired(runtimeOf(service.auth));
  await updateFigures(runtimeOf(service.auth));
  const { sql } = database;
  expect([
    ...(await sql`
      select method, sum(sign_ins)::integer as sign_ins, sum(refusals)::integer as refusals from latchkey.sign_in_hours
      group by method order by method`),
  ]).toEqual([
    { method: 'passkey', sign_ins: 4, refusals: 1 },
    { method: 'password', sign_ins: 1, refusals: 0 },
    { method: 'recovery_link', sign_ins: 1, refusals: 0 },
  ]);
  const [row] = await sql`select figures from latchkey.user_figures`;
  const [{ count } = { count: 0 }] = await sql<{ count: number }[]>`
    select count(*)::integer from latchkey.users where deleted_at is null`;
  expect(row?.figures.total).toBe(count);
});
