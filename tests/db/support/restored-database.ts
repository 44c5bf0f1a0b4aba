import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Sql } from 'postgres';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts';
import { dumpedAt } from './dumped-users.ts';

const folder = fileURLToPath(new URL('../dumps/', import.meta.url));
const fileOf = (version: number) => `${`${version}`.padStart(4, '0')}.sql`;

/** The versions of the schema that have a dump, ascending. */
export const dumpedVersions = readdirSync(folder).map((file) => Number.parseInt(file, 10));

/** Creates a database from the dump of a version. Its clock stands still at the time of the dump. */
export async function restoreDump(version: number): Promise<TestDatabase> {
  const database = await createTestDatabase({ empty: true });
  await database.sql.unsafe(readFileSync(folder + fileOf(version), 'utf8'));
  await database.sql.unsafe(`
    create or replace function latchkey.clock() returns timestamptz language sql stable
      as $$ select timestamptz '${dumpedAt}' $$`);
  return database;
}

/** Describes all columns, constraints, indexes, triggers and functions of the schema, except the clock. */
export async function schemaOf(sql: Sql): Promise<string[]> {
  const rows = await sql<{ definition: string }[]>`
    select definition from (
      select concat_ws(' ', table_name, column_name, data_type, collation_name, is_nullable, column_default)
        from information_schema.columns where table_schema = 'latchkey'
      union all select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid)
        from pg_constraint where connamespace = 'latchkey'::regnamespace
      union all select indexdef from pg_indexes where schemaname = 'latchkey'
      union all select pg_get_triggerdef(pg_trigger.oid) from pg_trigger
        join pg_class on pg_class.oid = tgrelid
        where relnamespace = 'latchkey'::regnamespace and not tgisinternal
      union all select pg_get_functiondef(oid) || coalesce(proacl::text, '') from pg_proc
        where pronamespace = 'latchkey'::regnamespace and proname <> 'clock'
    ) as parts (definition) order by definition`;
  return rows.map(({ definition }) => definition);
}

/** Returns the schema and all rows. */
export async function contentsOf({ sql }: TestDatabase) {
  const tables = await sql<{ name: string }[]>`
    select table_name as name from information_schema.tables where table_schema = 'latchkey' order by 1`;
  const rows = new Map<string, unknown[]>();
  for (const { name } of tables)
    rows.set(name, [...(await sql`select * from ${sql(`latchkey.${name}`)} as entry order by entry::text`)]);
  return { schema: await schemaOf(sql), rows };
}
