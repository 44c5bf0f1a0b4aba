import postgres from 'postgres';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { runtimeOf } from '../../src/service/auth-service.ts';
import { removeExpired } from '../../src/service/housekeeping.ts';
import { logIn, signUp } from '../support/person.ts';
import { type ServiceOn, startServiceOn } from '../support/service-on.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';

const role = `service_${crypto.randomUUID().replaceAll('-', '')}`;

let database: TestDatabase;
let service: ServiceOn;
let limited: postgres.Sql;
beforeAll(async () => {
  database = await createTestDatabase();
  // The grants from the section "Deployment" of the README, and access to the test clock.
  await database.sql.unsafe(`
    create role ${role} login password 'of its own';
    grant usage on schema latchkey to ${role};
    grant select, insert, update, delete on all tables in schema latchkey to ${role};
    grant execute on function latchkey.forget_audit_events to ${role};
    grant select on public.test_clock to ${role};`);
  const url = new URL(database.url);
  url.username = role;
  url.password = 'of its own';
  service = await startServiceOn(url.href, { auditRetentionSeconds: 86_400 });
  limited = postgres(url.href, { max: 1, onnotice: () => {} });
});
beforeEach(() => {
  service.logged.length = 0;
});
afterAll(async () => {
  await limited.end();
  await service.close();
  await database.sql.unsafe(`drop owned by ${role}; drop role ${role}`);
  await database.drop();
});

test('a database role with read and write access to the schema can run the service', async () => {
  expect(await service.auth.isReady()).toBe(true);
  const person = await signUp(service);
  expect((await logIn(service.browser(), person.authenticator)).status).toBe(200);
  expect((await person.browser.delete('/auth/session')).status).toBe(204);
  await service.auth.asOperator('operator').bootstrap({ username: 'ada' });
  expect(service.logged.filter(({ level }) => level === 'error')).toEqual([]);
});

const putOldEvent = () => database.sql`
  insert into latchkey.audit_events (id, at, event, outcome, actor_type, details)
  values (gen_random_uuid(), '2004-01-01Z', 'session.logout', 'success', 'anonymous', '{}')`;
const countOldEvents = async () =>
  (await database.sql`select from latchkey.audit_events where at < '2005-01-01Z'`).length;

test('the database role cannot change the audit log, even if the role changes settings', async () => {
  await putOldEvent();
  const before = await countOldEvents();
  const changes = [
    `delete from latchkey.audit_events where at < '2005-01-01Z'`,
    'delete from latchkey.audit_events',
    `update latchkey.audit_events set event = 'nothing.happened'`,
  ];
  for (const setting of ['', `set latchkey.forgetting = 'on';`, `set role ${role};`])
    for (const change of changes)
      await expect(limited.unsafe(`${setting} ${change}`), `${setting} ${change}`).rejects.toMatchObject({
        code: '42501',
        message: expect.stringContaining('append-only'),
      });
  // The role can create functions and tables with the same names, but the trigger does not use them.
  await database.sql.unsafe(`create schema own authorization ${role}`);
  await limited.unsafe(`
    create function own.pg_has_role(oid, text) returns boolean language sql as 'select true';
    create temp table pg_class as
      select oid, current_user::regrole::oid as relowner from pg_catalog.pg_class;
    set search_path = own, pg_temp, pg_catalog;
    set latchkey.forgetting = 'on'`);
  await expect(limited.unsafe('delete from latchkey.audit_events')).rejects.toThrow('append-only');
  await limited.unsafe('reset search_path; reset latchkey.forgetting; drop table pg_temp.pg_class');
  expect(await countOldEvents()).toBe(before);
});

test('the database role can delete old events with `forget_audit_events`, but not events of the last day', async () => {
  await putOldEvent();
  await removeExpired(runtimeOf(service.auth));
  expect(service.logged).toEqual([]);
  expect(await countOldEvents()).toBe(0);
  const removal = limited`select latchkey.forget_audit_events('infinity', 1000000)`;
  await expect(removal).rejects.toMatchObject({ code: '22023' });
});

test('without permission to execute `forget_audit_events`, the service runs and logs a warning', async () => {
  await database.sql.unsafe(`revoke execute on function latchkey.forget_audit_events from ${role}`);
  await database.sql`update public.test_clock set ahead = '2 hours'`;
  await putOldEvent();
  await removeExpired(runtimeOf(service.auth));
  expect(service.logged).toMatchObject([{ level: 'warn', fields: { err: { code: '42501' } } }]);
  expect(await countOldEvents()).toBe(1);
  await signUp(service);
});
