import type { Sql as PostgresClient } from 'postgres';
import { lockSpace, temporaryNames } from './names.ts';
import { removeOutdated } from './outdated.ts';

const checked = new Set<string>();

/**
 * Deletes the databases of test runs that were killed, and outdated templates. A database belongs to a live run if its
 * name is locked. Checks each server once per process.
 */
export async function removeLeftovers(admin: PostgresClient, serverUrl: string): Promise<void> {
  if (checked.has(serverUrl)) return;
  checked.add(serverUrl);
  await removeOutdated(admin);
  // pg_locks contains the locks of all databases, even if the other process is connected to another database.
  const leftovers = await admin<{ datname: string }[]>`
    select datname from pg_database
    where datname ~ ${temporaryNames}
      and datdba = (select oid from pg_roles where rolname = current_user)
      and not exists (
        select from pg_locks
        where locktype = 'advisory' and objsubid = 2 and classid::bigint = ${lockSpace}::bigint
          and objid::bigint = hashtext(datname)::bigint & 4294967295
      )
      and not exists (select from pg_stat_activity where datid = pg_database.oid)`;
  for (const { datname } of leftovers) {
    // Without `force`, so that a database that got a connection stays. Another process may delete the same database.
    await admin.unsafe(`drop database if exists ${datname}`).catch(() => {});
  }
}
