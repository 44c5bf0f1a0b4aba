import type { Sql } from 'postgres';

/** Creates the schema if it is missing. If the schema exists, the database role needs no permission to create one. */
export async function prepareSchema(sql: Sql): Promise<void> {
  const [found] = await sql`select to_regclass('example_files.files') is not null as present`;
  if (found?.present) return;
  await sql.begin(async (transaction) => {
    // Two servers can start at the same time. Without the lock, one of them can fail despite `if not exists`.
    await transaction`select pg_advisory_xact_lock(hashtext('example_files'))`;
    await transaction`create schema if not exists example_files`;
    await transaction`
      create table if not exists example_files.files (
        id uuid primary key,
        name text not null check (char_length(name) between 1 and 100),
        content text not null check (octet_length(content) <= 20000),
        owner_id uuid not null,
        owner_name text not null,
        organization_id uuid,
        updated_at timestamptz not null default now()
      )`;
    await transaction`create index if not exists files_by_owner on example_files.files (owner_id)`;
    await transaction`create index if not exists files_by_organization on example_files.files (organization_id)`;
  });
}
