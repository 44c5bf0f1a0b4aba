import type { Sql } from 'postgres';

/** A copy of the rows of all tables. */
export interface KeptRows {
  /** Replaces the copy with the current rows. */
  keep(): Promise<void>;
  /** Replaces the current rows with the copy. Triggers and foreign keys do not apply, so the audit log shrinks too. */
  restore(): Promise<void>;
}

export async function createKeptRows(sql: Sql): Promise<KeptRows> {
  const tables = await sql<{ name: string }[]>`
    select tablename as name from pg_tables where schemaname = 'latchkey' order by tablename`;
  const copies = tables.map(({ name }) => `create table kept.${name} (like latchkey.${name});`);
  await sql.unsafe(`create schema kept; ${copies.join('\n')}`);
  const replace = async (schema: string, by: string) => {
    const statements = tables.map(
      ({ name }) => `
        delete from ${schema}.${name} t where t::text not in (select t::text from ${by}.${name} t);
        insert into ${schema}.${name}
          select t.* from ${by}.${name} t where t::text not in (select t::text from ${schema}.${name} t);`,
    );
    await sql.begin((transaction) =>
      transaction.unsafe(`set local session_replication_role = replica; ${statements.join('\n')}`),
    );
  };
  return { keep: () => replace('kept', 'latchkey'), restore: () => replace('latchkey', 'kept') };
}
