import postgres from 'postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signUpAs } from '../features/support/authority.ts';
import { logIn, signUp } from '../support/person.ts';
import { sequence } from '../support/sequencing.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { readGuide } from './support/guide.ts';
import { runShell } from './support/shell-blocks.ts';

const guide = readGuide('docs/guides/audit-log-size.md');

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

test('a partitioned audit log stays append-only, and a page can contain events of several partitions', async () => {
  const { sql } = service.database;
  const root = await signUpAs(service, 'superadmin');
  const { authenticator, username } = await signUp(service);
  const log = async (query = '') => (await root.browser.get(`/auth/admin/audit?${query}`)).body.events;
  const before = await log();

  const owner = postgres(service.database.url, { max: 1, onnotice: () => {} });
  await owner.unsafe(guide.block('partition by range'));
  await owner.end();
  expect(await log()).toEqual(before);
  expect((await logIn(service.browser(), authenticator, { username })).status).toBe(200);
  await sql`
    insert into latchkey.audit_events (id, at, event, outcome, actor_type, details)
    values
      (gen_random_uuid(), now() + interval '1 month', 'passkey.login', 'failure', 'anonymous', '{}'),
      (gen_random_uuid(), now() + interval '3 months', 'passkey.login', 'failure', 'anonymous', '{}')`;

  const events = (await log()) as { id: string; event: string; outcome: string }[];
  expect(events.slice(3)).toEqual(before);
  expect(events.slice(0, 3).map(({ event, outcome }) => [event, outcome])).toEqual([
    ['passkey.login', 'failure'],
    ['passkey.login', 'failure'],
    ['passkey.login', 'success'],
  ]);
  const next = await root.browser.get('/auth/admin/audit?limit=2');
  const rest = await log(`limit=2&cursor=${next.body.nextCursor}`);
  expect(rest.map(({ id }: { id: string }) => id)).toEqual(events.slice(2, 4).map(({ id }) => id));
  const spread =
    await sql`select distinct relname as part from latchkey.audit_events join pg_class on pg_class.oid = audit_events.tableoid order by 1`;
  expect(spread.map(({ part }) => part)).toEqual([
    'audit_events_before',
    'audit_events_next',
    'audit_events_rest',
  ]);

  const refused = { code: '42501' };
  for (const part of ['', '_before', '_next', '_rest'].map((suffix) =>
    sql(`latchkey.audit_events${suffix}`),
  )) {
    await expect(sql`delete from ${part}`).rejects.toMatchObject(refused);
    await expect(sql`update ${part} set event = 'x'`).rejects.toMatchObject(refused);
    await expect(sql`truncate ${part}`).rejects.toMatchObject(refused);
  }
});

test('after the statement of the guide, the log can be verified without the events of a dropped partition', async () => {
  const other = await startTestService();
  const { sql, url } = other.database;
  const { browser } = await signUp(other);
  await sequence(sql);
  await browser.delete('/auth/session');
  await sequence(sql);
  const owner = postgres(url, { max: 1, onnotice: () => {} });
  await owner.unsafe(guide.block('partition by range'));
  await other.turnClock({ minutes: 200 * 1440 });
  const [month] =
    await sql`select to_char(date_trunc('month', now()) + interval '1 month', 'YYYY-MM-DD') as next`;
  const drop = guide.block('detach partition').replaceAll('audit_events_2025_01', 'audit_events_before');
  await owner.unsafe(guide.block("forget_audit_events('2025").replace('2025-02-01', month?.next));
  await owner.unsafe(drop);
  await owner.end();
  await sequence(sql);
  const { problems, pruned } = await other.auth.asOperator('ops').audit.verify();
  expect({ problems, pruned }).toEqual({ problems: [], pruned: 2 });
  await other.close();
});

test('the owner changes the minimum, and the statement of the guide deletes only events before it', async () => {
  const other = await startTestService();
  const { sql, url } = other.database;
  await signUp(other);
  await sql`
    insert into latchkey.audit_events (id, at, event, outcome, actor_type, details)
    values (gen_random_uuid(), now() - interval '100 days', 'session.logout', 'success', 'anonymous', '{}')`;
  await sequence(sql);
  const migrated = await runShell(guide.block('--audit-retention-minimum'), {
    env: { MIGRATION_DATABASE_URL: url, DATABASE_URL: url },
  });
  expect(migrated).toMatchObject({ exitCode: 0 });
  expect((await other.auditRows()).map(({ event }) => event)).toContain('audit.change_minimum');

  const [, statement = ''] = /-c "(.+)"/.exec(guide.block('psql "$DATABASE_URL"')) ?? [];
  const [row] = await sql.unsafe(statement);
  expect(row).toEqual({ forget_audit_events: 1 });
  const left = (await other.auditRows()).map(({ event }) => event);
  expect(left).toContain('account.signup');
  expect(left).not.toContain('session.logout');
  await expect(sql.unsafe(statement.replace('90 days', '29 days'))).rejects.toThrow();
  await other.close();
});
