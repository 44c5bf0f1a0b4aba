import type { Sql } from 'postgres';
import { eventually } from '../../support/eventually.ts';

/** Gathers the statistics of these tables. The same rows always lead to the same statistics, and to the same plans. */
export async function gatherStatistics(sql: Sql, tables: readonly string[]): Promise<void> {
  const names = tables.map((table) => `latchkey.${table}`);
  const connection = await sql.reserve();
  // The next commit also writes all earlier commits to the disk. Before that, `vacuum` does not mark their pages as visible
  // to all.
  await connection`set synchronous_commit = on`;
  // Autovacuum would replace the statistics with those of a random sample.
  for (const name of names) await connection.unsafe(`alter table ${name} set (autovacuum_enabled = off)`);
  // `analyze` reads 300 times as many rows as this target, so it reads all rows.
  await connection`set default_statistics_target = 1000`;
  // `vacuum` also skips a page that another process uses, for example for a checkpoint. One such page can change a plan,
  // because PostgreSQL then expects that index-only scans read the table, too.
  await eventually(async () => {
    await connection.unsafe(`vacuum analyze ${names.join()}`);
    const [{ unmarked } = { unmarked: null }] = await connection`
      select count(*)::int as unmarked from pg_class
      where relnamespace = 'latchkey'::regnamespace and relname in ${sql(tables)} and relallvisible < relpages`;
    return unmarked === 0;
  });
  await connection`reset all`;
  connection.release();
}
