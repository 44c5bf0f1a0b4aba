import { openSchema, sql } from 'latchkey';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { serviceRights } from '../../src/db/service-role.ts';
import { runtimeOf } from '../../src/service/auth-service.ts';
import { removeExpired } from '../../src/service/housekeeping.ts';
import { everyRow } from '../features/support/erasure.ts';
import { finishSignUp, prepareSignUp } from '../features/support/sign-ups.ts';
import { logIn, signUp } from '../support/person.ts';
import { sequence } from '../support/sequencing.ts';
import { type ServiceOn, startServiceOn } from '../support/service-on.ts';
import { schemaOf } from './support/restored-database.ts';
import {
  createDatabaseWithRoles,
  type DatabaseWithRoles,
  dropRoles,
  newRole,
  rightsOf,
  urlAs,
} from './support/roles.ts';

let own: DatabaseWithRoles;
beforeAll(async () => {
  own = await createDatabaseWithRoles();
});
afterAll(() => own.drop());

const migrateAs = async (
  url: string,
  options: Parameters<ReturnType<typeof openSchema>['migrate']>[0] = {},
) => {
  const schema = openSchema(url);
  try {
    return await schema.migrate(options);
  } finally {
    await schema.close();
  }
};
/** Only events with a position can be deleted. */
const putEvent = async (daysAgo: number) => {
  await own.database.sql`
  insert into latchkey.audit_events (id, at, event, outcome, actor_type, details)
  values (gen_random_uuid(), now() - ${`${daysAgo * 24} hours`}::interval, 'session.logout', 'success', 'anonymous', '{}')`;
  await sequence(own.attacker);
};
const countEvents = async () => (await own.database.sql`select from latchkey.audit_events`).length;
const minimum = async () => {
  const [row] = await own.database.sql`select audit_retention_minimum_days as days from latchkey.settings`;
  return row?.days;
};

describe('the role of the service', () => {
  let service: ServiceOn;
  beforeEach(async () => {
    service = await startServiceOn(own.serviceUrl);
  });
  afterEach(() => service.close());

  test('cannot erase users: the call changes nothing, and names the missing right', async () => {
    const { browser, username, signedUp } = await signUp(service);
    const { id } = signedUp.body.user;
    const { users } = service.auth.asOperator('ops');
    const rows = await everyRow(own);
    await expect(users.erase(id)).rejects.toMatchObject({
      name: 'SchemaError',
      code: 'erasure_not_granted',
      message: expect.stringContaining(
        `grant execute on function latchkey.erase_user(uuid, text, uuid, integer) to ${own.service}`,
      ),
    });
    // Also a user who does not exist, so that the answer does not depend on the user.
    await expect(users.erase(crypto.randomUUID())).rejects.toMatchObject({ code: 'erasure_not_granted' });
    expect(await everyRow(own)).toEqual(rows);
    expect((await browser.get('/auth/session')).body.user).toMatchObject({ username });
  });

  test('can run the service, which logs no warning', async () => {
    expect(await service.auth.isReady()).toBe(true);
    const person = await signUp(service);
    expect((await logIn(service.browser(), person.authenticator)).status).toBe(200);
    expect((await person.browser.delete('/auth/session')).status).toBe(204);
    await service.auth.asOperator('operator').bootstrap({ username: 'ada' });
    await removeExpired(runtimeOf(service.auth));
    await own.database.sql`
      insert into latchkey.audit_events (id, at, event, outcome, actor_type, details, xid, salt)
      values (gen_random_uuid(), now(), 'passkey.login', 'success', 'anonymous', '{}', null, null)`;
    await sequence(own.attacker);
    expect((await own.database.sql`select from latchkey.audit_entries`).length).toBe(await countEvents());
    expect(service.logged).toEqual([]);
  });

  test('can lack a right at a sign-up, and the error names `signUp.after` only for its own table', async () => {
    const errors: string[] = [];
    await own.database.sql.unsafe('create table public.profiles (user_id uuid)');
    const after = () => sql`insert into public.profiles default values`;
    const application = await startServiceOn(own.serviceUrl, { signUp: { after } }, (app) =>
      app.on('error', (error: Error) => errors.push(error.message)),
    );
    const finish = async () => (await finishSignUp(await prepareSignUp(application))).status;
    const prefix = 'signUp.after: the database refused the statement, so no account was created: ';
    expect([await finish(), errors.pop()]).toEqual([500, `${prefix}permission denied for table profiles`]);
    await own.database.sql.unsafe(`grant insert on public.profiles to ${own.service}`);
    await own.database.sql.unsafe(`revoke insert on latchkey.passkeys from ${own.service}`);
    expect([await finish(), errors.pop()]).toEqual([500, 'permission denied for table passkeys']);
    await own.database.sql.unsafe(`grant insert on latchkey.passkeys to ${own.service}`);
    expect(await finish()).toBe(201);
    await application.close();
    await own.database.sql.unsafe('drop table public.profiles');
  });

  test('can start a service with `migrate: true` if no migration is pending', async () => {
    const migrating = await startServiceOn(own.serviceUrl, { migrate: true });
    expect(await migrating.auth.isReady()).toBe(true);
    await migrating.close();
  });

  test('has exactly the rights in `serviceRights`, which lists every table', async () => {
    const expected = Object.entries(serviceRights).map(
      ([table, rights]) => `${table}: ${rights.split(', ').toSorted().join(', ')}`,
    );
    expect(await rightsOf(own.database.sql, own.service)).toEqual(expected.toSorted());
    const tables = await own.database.sql<{ name: string }[]>`
      select table_name as name from information_schema.tables where table_schema = 'latchkey'`;
    expect(new Set(tables.map(({ name }) => name))).toEqual(new Set(Object.keys(serviceRights)));
  });
});

describe('an attacker with the role of the service', () => {
  test('cannot update, delete or truncate audit events', async () => {
    await putEvent(1000);
    const before = await countEvents();
    const changes = [
      'delete from latchkey.audit_events',
      `update latchkey.audit_events set event = 'nothing.happened'`,
      'truncate latchkey.audit_events',
      `insert into latchkey.audit_events select * from latchkey.audit_events
       on conflict (id) do update set event = 'nothing.happened'`,
      'select from latchkey.audit_events for update',
    ];
    for (const change of changes)
      await expect(own.attacker.unsafe(change), change).rejects.toMatchObject({ code: '42501' });
    expect(await countEvents()).toBe(before);
  });

  test('cannot change tables, triggers, functions or rights, and cannot become another role', async () => {
    const rights = () => own.database.sql`
      select relname, relacl::text from pg_class where relnamespace = 'latchkey'::regnamespace order by relname`;
    const describeAll = async () => [await schemaOf(own.database.sql), [...(await rights())]];
    const before = await describeAll();
    const attempts = [
      'drop table latchkey.audit_events',
      'drop table latchkey.settings',
      'alter table latchkey.audit_events disable trigger audit_events_append_only',
      'alter table latchkey.audit_events disable trigger all',
      'drop trigger audit_events_append_only on latchkey.audit_events',
      'alter table latchkey.audit_events add column note text',
      `create rule forget as on insert to latchkey.audit_events do instead nothing`,
      'create trigger other before insert on latchkey.audit_events for each row execute function latchkey.refuse_change()',
      'create or replace function latchkey.clock() returns timestamptz language sql stable as $$ select now() $$',
      'alter function latchkey.forget_audit_events(timestamptz, integer, uuid) security invoker',
      'drop function latchkey.refuse_change() cascade',
      'create table latchkey.other (id integer)',
      'alter schema latchkey rename to other',
      'drop schema latchkey cascade',
      'truncate latchkey.sessions',
      'delete from latchkey.migrations',
      `set session_replication_role = 'replica'`,
      `set role ${own.owner}`,
      `alter role ${own.service} superuser`,
      `grant ${own.owner} to ${own.service}`,
    ];
    for (const attempt of attempts)
      await expect(own.attacker.unsafe(attempt), attempt).rejects.toMatchObject({ code: '42501' });
    // PostgreSQL only warns, because the role has some rights on the table.
    await own.attacker.unsafe(`grant all on latchkey.audit_events to ${own.service}`);
    expect(await describeAll()).toEqual(before);
  });

  test('cannot change the minimum retention of the audit log', async () => {
    const attempts = [
      'update latchkey.settings set audit_retention_minimum_days = 1',
      'delete from latchkey.settings',
      'insert into latchkey.settings values (false, 1)',
      'truncate latchkey.settings',
      `select latchkey.change_audit_minimum(1, 'ada', gen_random_uuid())`,
    ];
    for (const attempt of attempts)
      await expect(own.attacker.unsafe(attempt), attempt).rejects.toMatchObject({ code: '42501' });
    expect(await minimum()).toBe(90);
  });

  test('can delete only audit events that are older than the minimum', async () => {
    await putEvent(91);
    await putEvent(89);
    for (const before of [`now() - interval '1 day'`, `now() - interval '2159 hours'`, `'infinity'`])
      await expect(
        own.attacker.unsafe(`select latchkey.forget_audit_events(${before}, 1000000)`),
      ).rejects.toMatchObject({
        code: '22023',
        message: 'latchkey.audit_events keeps each event for at least 90 days',
        hint: expect.stringContaining('latchkey migrate --audit-retention-minimum'),
      });
    await own.attacker.unsafe(`select latchkey.forget_audit_events(now() - interval '2160 hours', 1000000)`);
    const kept = await own.database.sql`
      select (extract(epoch from now() - at) / 86400)::integer as days from latchkey.audit_events
      where event = 'session.logout' and actor_type = 'anonymous' order by at`;
    expect([...kept]).toEqual([{ days: 89 }]);
  });

  test('cannot delete recent events with its own functions and tables in the search path, even with the right to delete', async () => {
    await putEvent(1000);
    await own.database.sql.unsafe(`
      grant delete on latchkey.audit_events to ${own.service};
      create schema own authorization ${own.service}`);
    await own.attacker.unsafe(`
      create function own.pg_has_role(oid, text) returns boolean language sql as 'select true';
      create function own.make_interval(hours integer) returns interval language sql as $$ select interval '0' $$;
      create temp table settings as select true as one, 1 as audit_retention_minimum_days;
      create temp table pg_class as
        select oid, current_user::regrole::oid as relowner from pg_catalog.pg_class;
      set search_path = own, pg_temp, pg_catalog;
      set latchkey.forgetting = 'on'`);
    const before = await countEvents();
    await expect(own.attacker.unsafe('delete from latchkey.audit_events')).rejects.toMatchObject({
      code: '42501',
      message: expect.stringContaining('append-only'),
    });
    await expect(
      own.attacker.unsafe(`select latchkey.forget_audit_events(now() - interval '2 days', 10)`),
    ).rejects.toMatchObject({ code: '22023' });
    await own.attacker.unsafe(
      'reset search_path; reset latchkey.forgetting; drop table pg_temp.pg_class, pg_temp.settings; drop schema own cascade',
    );
    await own.database.sql.unsafe(`revoke delete on latchkey.audit_events from ${own.service}`);
    expect(await countEvents()).toBe(before);
  });
});

describe('the minimum retention of the audit log', () => {
  // The service prunes at most once an hour.
  beforeEach(() =>
    own.database.sql.unsafe(`
      alter table latchkey.audit_events disable trigger audit_events_append_only;
      delete from latchkey.audit_events where event = 'audit.prune';
      alter table latchkey.audit_events enable trigger audit_events_append_only`),
  );

  test('overrides a shorter retention, and the service logs this at its start and when it prunes', async () => {
    await putEvent(91);
    const before = await countEvents();
    const service = await startServiceOn(own.serviceUrl, { auditRetentionDays: 30 });
    await removeExpired(runtimeOf(service.auth));
    await service.close();
    expect(service.logged).toMatchObject([
      { level: 'warn', message: expect.stringMatching(/not pruned.*30 days.*at least 90 days/) },
      {
        level: 'warn',
        fields: { err: { code: '22023', message: expect.stringContaining('at least 90 days') } },
      },
    ]);
    expect(await countEvents()).toBe(before);
  });

  test('can be lowered by the owner, and the audit log records the change once', async () => {
    await migrateAs(own.ownerUrl, { auditRetentionMinimumDays: 30, operator: 'ada@db1' });
    await migrateAs(own.ownerUrl, { auditRetentionMinimumDays: 30, operator: 'bob@db1' });
    const recorded = await own.database.sql`
      select outcome, actor_type, actor_name, details from latchkey.audit_events where event = 'audit.change_minimum'`;
    expect([...recorded]).toEqual([
      { outcome: 'success', actor_type: 'operator', actor_name: 'ada@db1', details: { from: 90, to: 30 } },
    ]);
    await putEvent(31);
    const service = await startServiceOn(own.serviceUrl, { auditRetentionDays: 30 });
    await removeExpired(runtimeOf(service.auth));
    await service.close();
    expect(service.logged).toEqual([]);
    const old = await own.database
      .sql`select from latchkey.audit_events where at < now() - interval '744 hours'`;
    expect(old).toHaveLength(0);
    await migrateAs(own.ownerUrl, { auditRetentionMinimumDays: 90 });
    expect(await minimum()).toBe(90);
  });

  test.each([0, -1, 36_501])('cannot be %s days', async (days) => {
    await expect(migrateAs(own.ownerUrl, { auditRetentionMinimumDays: days })).rejects.toMatchObject({
      code: '23514',
    });
    expect(await minimum()).toBe(90);
  });
});

describe('`migrate` with a service role', () => {
  test('revokes the rights that a role has beyond those of the service', async () => {
    const former = newRole('former');
    await own.database.sql.unsafe(`
      create role ${former};
      grant usage on schema latchkey to ${former};
      grant all on all tables in schema latchkey to ${former};`);
    await migrateAs(own.ownerUrl, { serviceRole: former });
    expect(await rightsOf(own.database.sql, former)).toEqual(await rightsOf(own.database.sql, own.service));
    await own.database.sql.unsafe(`drop owned by ${former}`);
    await dropRoles(former);
  });

  test('can run again without changing the rights', async () => {
    const before = await rightsOf(own.database.sql, own.service);
    await migrateAs(own.ownerUrl, { serviceRole: own.service });
    expect(await rightsOf(own.database.sql, own.service)).toEqual(before);
  });

  test('accepts a name with quotes, dollar signs, spaces, a backslash and an accented letter', async () => {
    const name = `o'neill "$$" \\ é`;
    const quoted = `"${name.replaceAll('"', '""')}"`;
    await own.database.sql.unsafe(`create role ${quoted}`);
    await migrateAs(own.ownerUrl, { serviceRole: name });
    expect(await rightsOf(own.database.sql, quoted)).toEqual(await rightsOf(own.database.sql, own.service));
    await own.database.sql.unsafe(`drop owned by ${quoted}`);
    await dropRoles(quoted);
  });

  test.each([
    ['that does not exist', () => 'nobody_at_all', 'service_role_missing', /create role nobody_at_all/],
    ['that owns the schema', () => own.owner, 'service_role_owns', /Choose another role/],
  ])('rejects a role %s', async (_, role, code, message) => {
    const migrating = migrateAs(own.ownerUrl, { serviceRole: role() });
    await expect(migrating).rejects.toMatchObject({ name: 'SchemaError', code });
    await expect(migrating).rejects.toThrow(message);
  });

  test('rejects a role that is a member of the owner, because it could become the owner', async () => {
    const member = newRole('member');
    await own.database.sql.unsafe(`create role ${member} noinherit; grant ${own.owner} to ${member}`);
    await expect(migrateAs(own.ownerUrl, { serviceRole: member })).rejects.toMatchObject({
      code: 'service_role_owns',
    });
    await dropRoles(member);
  });

  test('is rejected if the role in the URL does not own the schema', async () => {
    const migrating = migrateAs(own.serviceUrl, { serviceRole: own.service });
    await expect(migrating).rejects.toMatchObject({ code: 'schema_not_owned' });
    await expect(migrating).rejects.toThrow(/MIGRATION_DATABASE_URL/);
  });
});

describe('`migrate` without a service role', () => {
  test('gives a service role of an earlier call the rights that it lacks', async () => {
    const before = await rightsOf(own.database.sql, own.service);
    await own.database.sql.unsafe(
      `revoke all on latchkey.invitations, latchkey.settings from ${own.service}`,
    );
    await migrateAs(own.ownerUrl);
    expect(await rightsOf(own.database.sql, own.service)).toEqual(before);
  });

  test('gives no rights to a role that can only read', async () => {
    const reader = newRole('reader');
    await own.database.sql.unsafe(`
      create role ${reader};
      grant usage on schema latchkey to ${reader};
      grant select on latchkey.users, latchkey.sessions to ${reader};`);
    await migrateAs(own.ownerUrl);
    expect(await rightsOf(own.database.sql, reader)).toEqual(['sessions: select', 'users: select']);
    await own.database.sql.unsafe(`drop owned by ${reader}`);
    await dropRoles(reader);
  });
});

describe('`createAuthService` with `migrationDatabase`', () => {
  test('migrates as the owner, and gives the role in `database` the rights of the service', async () => {
    const fresh = await createDatabaseWithRoles();
    await fresh.database.sql.unsafe(
      `drop schema latchkey cascade; create schema latchkey authorization ${fresh.owner}`,
    );
    const options = { migrate: true, migrationDatabase: fresh.ownerUrl };
    const services = await Promise.all([1, 2, 3].map(() => startServiceOn(fresh.serviceUrl, options)));
    for (const service of services) await signUp(service);
    expect(await rightsOf(fresh.database.sql, fresh.service)).toEqual(
      await rightsOf(own.database.sql, own.service),
    );
    const [table] = await fresh.database.sql`
      select tableowner as owner from pg_tables where schemaname = 'latchkey' and tablename = 'users'`;
    expect(table).toEqual({ owner: fresh.owner });
    await Promise.all(services.map((service) => service.close()));
    await fresh.drop();
  });

  test('accepts the same role in both URLs', async () => {
    const service = await startServiceOn(own.ownerUrl, { migrate: true, migrationDatabase: own.ownerUrl });
    expect(await service.auth.isReady()).toBe(true);
    await service.close();
  });

  test('fails if the two URLs name different databases', async () => {
    const other = await createDatabaseWithRoles();
    await other.database.sql.unsafe('drop schema latchkey cascade');
    await expect(
      startServiceOn(urlAs(other.database.url, own.service), {
        migrate: true,
        migrationDatabase: own.ownerUrl,
      }),
    ).rejects.toMatchObject({ code: 'schema_outdated' });
    await other.drop();
  });
});
