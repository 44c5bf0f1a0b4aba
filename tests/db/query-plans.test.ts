import { auditEventNames, openSchema } from 'latchkey';
import type { ReservedSql } from 'postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serviceRights } from '../../src/db/service-role.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';
import { fillTables, largeTables } from './support/large-tables.ts';
import { burdensOf, indexesIn, nodesOf, type PlanNode, planFor, planOf } from './support/query-plan.ts';
import { newRole } from './support/roles.ts';
import { sentStatements } from './support/sent-statements.ts';
import { sqlInSources } from './support/sql-in-sources.ts';

let database: TestDatabase;
let sent: Set<string>;
let plans: Map<string, PlanNode>;
beforeAll(async () => {
  database = await createTestDatabase();
  [sent] = await Promise.all([sentStatements(), fillTables(database.sql)]);
  plans = new Map();
  for (const statement of sent) plans.set(statement, await planOf(database.sql, statement));
});
afterAll(() => database.drop());

describe('the role of the service', () => {
  const role = newRole('service');
  let limited: ReservedSql;
  beforeAll(async () => {
    await database.sql.unsafe(`create role ${role}; grant select on public.test_clock to ${role}`);
    const schema = openSchema(database.url);
    await schema.migrate({ serviceRole: role });
    await schema.close();
    limited = await database.sql.reserve();
    await limited.unsafe(`set role ${role}`);
  });
  afterAll(async () => {
    await limited.unsafe(`reset role; drop owned by ${role}; drop role ${role}`);
    limited.release();
  });

  /**
   * Returns the statements that PostgreSQL refuses to run for the role. To explain a statement, a role needs the same
   * rights as to run it.
   */
  async function refusedAmong(statements: readonly string[]): Promise<string[]> {
    const refused: string[] = [];
    for (const statement of statements)
      await planOf(limited, statement).catch((error) => {
        if (error.code !== '42501') throw error;
        refused.push(statement);
      });
    return refused;
  }
  /** Leaves out the statements that only the owner of the schema can run. */
  const ofTheService = () =>
    [...sent].filter((text) => !/latchkey\.(change_audit_minimum|erase_user)\b/.test(text));

  test('can run each statement of the service', async () => {
    expect(await refusedAmong(ofTheService())).toEqual([]);
  });

  const rights = Object.entries(serviceRights).flatMap(([table, list]) =>
    list
      .split(', ')
      // Statements of the application need this right.
      .filter((right) => right !== 'references')
      .map((right) => [right, table] as const),
  );
  test.each(rights)('needs the right to %s on the table %s', async (right, table) => {
    const statements = ofTheService().filter((text) => text.includes(`latchkey.${table}`));
    await database.sql.unsafe(`revoke ${right} on latchkey.${table} from ${role}`);
    expect(await refusedAmong(statements)).not.toEqual([]);
    await database.sql.unsafe(`grant ${right} on latchkey.${table} to ${role}`);
  });
});

describe('on a standby', () => {
  let standby: TestDatabase;
  let connection: ReservedSql;
  beforeAll(async () => {
    standby = await createTestDatabase();
    // Simulates a standby: `require_primary` throws an error, and the connection rejects changes (see below).
    await standby.sql.unsafe(`
      create or replace function latchkey.require_primary() returns boolean language plpgsql stable as $$
      begin
        raise exception 'standby' using errcode = 'read_only_sql_transaction';
      end $$`);
    connection = await standby.sql.reserve();
    // With a custom plan, PostgreSQL could see that all parameters are null, and skip the statement.
    await connection.unsafe(
      'set default_transaction_read_only = on; set plan_cache_mode = force_generic_plan',
    );
  });
  afterAll(async () => {
    connection.release();
    await standby.drop();
  });

  test('every statement fails, except those that read only the migrations or no table of the service', async () => {
    const accepted: string[] = [];
    for (const statement of sent) {
      const parameters = Math.max(
        0,
        ...[...statement.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)),
      );
      await connection.unsafe(statement, Array(parameters).fill(null), { prepare: true }).then(
        () => accepted.push(statement),
        ({ code }) => expect([statement, code]).toEqual([statement, '25006']),
      );
    }
    expect(accepted.filter((statement) => /\blatchkey\.(?!migrations\b)/.test(statement))).toEqual([]);
    expect(sent.size - accepted.length).toBeGreaterThan(100);
  });
});

describe('after a later migration that adds columns', () => {
  let widened: TestDatabase;
  beforeAll(async () => {
    widened = await createTestDatabase();
    // Each table gets the names of the columns of all other tables. A column without its table is then ambiguous.
    await widened.sql.unsafe(`
      do $$
      declare
        missing record;
      begin
        for missing in
          select tables.name as table_name, columns.name as column_name
          from (select relname as name from pg_class where relnamespace = 'latchkey'::regnamespace and relkind = 'r')
            as tables,
            (select distinct attname as name from pg_attribute join pg_class on pg_class.oid = attrelid
              where relnamespace = 'latchkey'::regnamespace and relkind = 'r' and attnum > 0) as columns
        loop
          execute format('alter table latchkey.%I add column if not exists %I text', missing.table_name,
            missing.column_name);
        end loop;
      end $$`);
  });
  afterAll(() => widened.drop());

  async function resultTypes(sql: ReservedSql, statement: string): Promise<string> {
    await sql.unsafe(`prepare sent as ${statement}`);
    const [row] =
      await sql`select result_types::text as types from pg_prepared_statements where name = 'sent'`;
    await sql.unsafe('deallocate sent');
    return row?.types;
  }

  test('each statement is still valid and returns the same columns', async () => {
    const [before, after] = [await database.sql.reserve(), await widened.sql.reserve()];
    const broken: string[] = [];
    for (const statement of sent) {
      const expected = await resultTypes(before, statement);
      const found = await resultTypes(after, statement).catch((error) => error.message);
      if (found !== expected) broken.push(`${found}: ${statement}`);
    }
    before.release();
    after.release();
    expect(broken).toEqual([]);
  });
});

const isChange = (node: PlanNode) => node.Operation === 'Delete' || node.Operation === 'Update';
/** Returns the nodes that find the rows of a change. Leaves out the queries that are calculated once, before it. */
const inputsOf = (node: PlanNode): PlanNode[] =>
  (node.Plans ?? []).filter((input) => input['Parent Relationship'] === 'Outer').flatMap(nodesOf);
const isJoin = (node: PlanNode) => /Join$|^Nested Loop$/.test(node['Node Type']);

/** Source files whose SQL reads no table. */
const withoutTables = ['src/db/notifications.ts', 'src/db/on-primary.ts', 'src/service/schema.ts'];

test('each SQL text in the sources is part of a statement whose plan is checked', () => {
  const all = [...plans.keys()].join('\n');
  const missing = sqlInSources().filter(
    ({ file, text }) => !withoutTables.includes(file) && !all.includes(text),
  );
  expect(missing.map(({ file, line, text }) => `${file}:${line} ${text.trim()}`)).toEqual([]);
});

const firstPageOfAdmin =
  /where audit_events\.organization_id = known\.id and true\s+order by audit_events\.at desc/;

/** Parts of a plan that are allowed to grow with a table, each with the reason. `burdensOf` explains the names. */
const allowed: Record<string, string> = {
  'reads users': 'the overviews count the rows',
  'reads organizations': 'same as above',
  'reads invitations': 'same as above',
  'reads memberships': 'the doctor counts the members of each role',
  'walks audit_events': 'read in index order until the page is full',
  'walks audit_entries': 'reads the last entry, or the next entries in order',
  'reads audit_entries': 'only a verification of the whole log, which reads every entry anyway',
  'walks organizations': 'read in index order until the page is full',
  'walks invitations': 'same as above',
  'walks users by deleted_at': 'same as above; few users are deleted',
  'walks audit_events by outcome': 'read in index order; there are two outcomes, and neither is rare',
  'walks audit_events by event': 'read in index order; a rare event gets its own plan, see below',
  'walks users by deleted_at, role': 'read in index order; a rare role gets its own plan, see below',
  'reads passkeys': 'only the filter for users without a passkey, which no index can answer',
  'walks passkeys': 'same as above',
  'walks users': 'read in index order until the page is full',
  'walks user_sign_ins': 'same as above',
  'walks user_sign_ins by ': 'same as above',
  'walks invitations by role': 'read in index order; a rare role gets the index on the role',
  'reads recovery_codes': 'only the report on secrets, which counts the codes of each secret',
  'reads sessions': 'only the end of all sessions, in batches',
  'reads recovery_links': 'same as above',
  'walks invitations by accepted_at': 'read in index order; few invitations are accepted',
};
/** Matches the only statements that may read whole tables. */
const countsAll =
  /^select \* from \(\s*(?:with u as \(select count\(\*\) as users|select memberships\.role as member_role, count|with accounts as |select \(\s*select count\(\*\) from latchkey\.invitations)/;
/** Counts stop at a limit. No index can answer the filter for users without a passkey. */
const readsUsers =
  /^select \* from \(select\s+\(select count\(\*\) from \(|passkey_holders as holders where holders\.user_id = users\.id\)\s+and true/;
/** The report on the policy for authenticators reads all passkeys, in batches of users. */
const testsPasskeys = /as tested\s+join latchkey\.passkeys/;
/** The report on secrets, which the doctor reads, counts the values that each secret protects. */
const countsByKey =
  /select split_part\(users\.password_hash, '\$', 3\) as key_id|select recovery_codes\.key_id, count/;
/** The end of all sessions deletes batches of rows. */
const endsAll =
  /delete from latchkey\.sessions\s+where id = any\(array\(\s*select sessions\.id from latchkey\.sessions\s+where sessions\.created_at <=/;
/** A verification of the whole log searches for events without an entry. */
const searchesWithoutEntry = /audit_events\.at < \(\s*select least\(max\(audit_entries\.at\)/;

test('only the allowed cases read, walk or sort a whole table that grows', () => {
  const burdened = [...plans].flatMap(([statement, plan]) =>
    burdensOf(plan, largeTables)
      .filter(
        (burden) =>
          !(burden in allowed) ||
          (burden.startsWith('reads') &&
            ![countsAll, readsUsers, testsPasskeys, countsByKey, endsAll, searchesWithoutEntry].some(
              (pattern) => pattern.test(statement),
            )),
      )
      .map((burden) => `${burden}: ${statement}`),
  );
  expect(burdened).toEqual([]);
});

test('no change of a batch contains a join, which could take minutes if the statistics are out of date', () => {
  const batches = [...plans].filter(
    ([statement]) =>
      /\bdelete from .*\blimit 1000|\blimit 1000.*\bdelete from /s.test(statement) ||
      /^\s*update .*\bskip locked\b/s.test(statement),
  );
  expect(batches.length).toBeGreaterThanOrEqual(6);
  const joined = batches.filter(([, plan]) => nodesOf(plan).filter(isChange).flatMap(inputsOf).some(isJoin));
  expect(joined.map(([statement]) => statement)).toEqual([]);
});

test('each allowed case occurs in a plan', () => {
  const met = new Set([...plans.values()].flatMap((plan) => burdensOf(plan, largeTables)));
  expect(Object.keys(allowed).filter((burden) => !met.has(burden))).toEqual([]);
});

describe('a selective index finds rare values of', () => {
  const nouns = auditEventNames.filter((name) => name.startsWith('user.'));
  test.each([
    [
      'an event',
      'audit_events_event',
      /where true and audit_events\.event in \(\$1::text\)\s+order/,
      ['user.get'],
    ],
    [
      'an event category',
      'audit_events_event',
      new RegExp(`where true and audit_events\\.event in \\([^)]+\\$${nouns.length}::text\\)\\s+order`),
      nouns,
    ],
    [
      'a role',
      'users_role',
      /from latchkey\.users\s+where users\.deleted_at is null and users\.role = 'admin' and true\s+order/,
      [51],
    ],
    ['a status', 'users_disabled', /is null and users\.status = 'disabled' and true\s+order/, [51]],
  ])('%s', async (_, index, page, values) => {
    const text = [...plans.keys()].find((statement) => page.test(statement)) ?? '';
    const plan = await planFor(database.sql, { text, values: [...values, 51] });
    expect(indexesIn(plan)).toEqual([index]);
  });
});

test('for an admin’s first page of events, an index finds the events of each organization, and an index finds the members', async () => {
  const text = [...plans.keys()].find((statement) => firstPageOfAdmin.test(statement)) ?? '';
  const values = ['00000000-0000-0000-0000-000000000004', 51, 51];
  const generic = plans.get(text);
  for (const plan of [generic, await planFor(database.sql, { text, values })]) {
    if (!plan) throw new Error('the statement was not sent');
    const nodes = nodesOf(plan);
    expect(nodes.filter((node) => node['Index Name'] === 'audit_events_organization')).toMatchObject([
      { 'Node Type': 'Index Only Scan', 'Index Cond': expect.stringMatching(/^\(organization_id = /) },
    ]);
    const members = nodes.filter((node) => /^joined/.test(node.Alias ?? ''));
    expect(members).toHaveLength(2);
    for (const member of members) {
      expect(member['Node Type']).toBe('Index Scan');
      expect(member['Index Cond']).toMatch(/user_id = /);
    }
    // The only sort merges the events of the organizations.
    expect(nodes.filter((node) => node['Node Type'] === 'Sort')).toHaveLength(1);
  }
});

test.each([
  'passkeys_credential_id_key',
  'passkeys_user_id',
  'sessions_token_hash_key',
  'sessions_user_id',
  'sessions_expires_at',
  'users_username_key',
  'users_user_handle_key',
  'users_display_name_3',
  'spent_challenges_forget_at',
  'recovery_codes_user_id',
  'recovery_links_maker_id',
  'recovery_links_expires_at',
  'memberships_user_id',
  'organizations_slug_key',
  'invitations_token_hash_key',
  'invitations_creator',
  'organization_invitations_organization',
  'organization_invitations_received',
  'organization_invitations_creator',
  'organization_invitations_token_hash_key',
  'audit_events_at',
  'audit_events_actor',
  'audit_events_target',
  'audit_events_organization',
])('without the index %s, a statement would read, walk or sort a whole table', async (index) => {
  const users = [...plans].filter(([, plan]) => indexesIn(plan).includes(index));
  expect(users.length).toBeGreaterThan(0);
  const rollback = new Error('rolled back');
  const burdens: string[] = [];
  const without = database.sql.begin(async (sql) => {
    const [constraint] = await sql<{ table: string }[]>`
      select conrelid::regclass::text as table from pg_constraint where conname = ${index}`;
    if (constraint) await sql.unsafe(`alter table ${constraint.table} drop constraint ${index}`);
    else await sql.unsafe(`drop index latchkey.${index}`);
    for (const [statement, before] of users) {
      const known = burdensOf(before, largeTables);
      const plan = await planOf(sql, statement);
      burdens.push(...burdensOf(plan, largeTables).filter((burden) => !known.includes(burden)));
    }
    throw rollback;
  });
  await expect(without).rejects.toBe(rollback);
  expect(burdens).not.toEqual([]);
});
