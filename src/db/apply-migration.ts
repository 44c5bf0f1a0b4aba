import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../core/database.ts';
import { second } from '../core/duration.ts';
import { checksumOf, type Migration } from './migration.ts';
import { SchemaError } from './schema-error.ts';
import { Script } from './sql.ts';
import { isLockConflict, isRefused, violatesUnique } from './sql-states.ts';

/** An arbitrary key ("latch" in ASCII). Other applications on the same database are unlikely to lock the same key. */
export const migrationLock = 0x6c61746368;

/**
 * Removes the application's schemas from the search path until the end of the transaction. Otherwise, a role
 * that can create functions in one of these schemas could make the owner run these functions (CVE-2018-1058).
 * The statement is in a `do` block, because pg-mem (the in-memory database for tests) skips `do` blocks.
 */
export const safePath = `
do $$
begin
  perform pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
end
$$;`;

/** Creates the schema and the table of migrations. Must run under the advisory lock. */
const foundation = `
do $$
begin
  -- \`create schema if not exists\` fails for a role that may not create schemas, even if the schema exists.
  if to_regnamespace('latchkey') is null then
    create schema latchkey;
  end if;
end
$$;
create table if not exists latchkey.migrations (
  version integer primary key,
  name text not null,
  checksum text not null,
  applied_at timestamptz not null default now()
);`;

/** How a migration waits for locks on tables that a running service uses. */
export interface LockWaiting {
  /**
   * The longest wait for one lock. While a migration waits for a lock on a table, PostgreSQL makes all later
   * statements on this table wait, too. So the wait must be shorter than the service's time limit of 4 seconds for a
   * statement. It must be longer than `deadlock_timeout` (1 second by default), when PostgreSQL cancels an
   * autovacuum that holds the lock.
   */
  timeoutMs: number;
  /** The pauses between the attempts. After the last attempt, the migration fails with `schema_locked`. */
  pausesMs: readonly number[];
  /** Called before each pause. */
  onWait?(version: number): void;
}

/** 16 attempts in about two and a half minutes. */
export const lockWaiting: LockWaiting = {
  timeoutMs: 2 * second,
  pausesMs: [0.5, 1, 2, 4, 8, ...Array.from({ length: 10 }, () => 10)].map((seconds) => seconds * second),
};

/**
 * Applies one migration. Repeats the migration if it fails because another transaction holds a lock. During the pauses,
 * no statement waits for the migration, because PostgreSQL has rolled the script back.
 *
 * @returns false if another process has applied the migration
 * @throws SchemaError `schema_locked` | `schema_not_owned`
 */
export async function applyMigration(
  db: Database,
  migration: Migration,
  isFirst: boolean,
  waiting: LockWaiting,
): Promise<boolean> {
  for (const pauseMs of [...waiting.pausesMs, null]) {
    try {
      await db.query(scriptOf(migration, isFirst, waiting.timeoutMs));
      return true;
    } catch (error) {
      if (violatesUnique(error, 'version')) return false;
      if (isRefused(error)) throw notOwned(error);
      if (!isLockConflict(error)) throw error;
      if (pauseMs === null) throw locked(migration, waiting, error);
    }
    waiting.onWait?.(migration.version);
    // Processes that start at the same time must not repeat the migration at the same time.
    await sleep(pauseMs * (0.5 + Math.random()));
  }
  return false;
}

function scriptOf(migration: Migration, isFirst: boolean, timeoutMs: number): Script {
  const { version, name, script, compatibleWith } = migration;
  return new Script(`${safePath}
select pg_advisory_xact_lock(${migrationLock});
do $$
begin
  perform pg_catalog.set_config('lock_timeout', '${timeoutMs}', true);
end
$$;
${isFirst ? foundation : ''}
insert into latchkey.migrations (version, name, checksum)
values (${version}, '${name}', '${checksumOf(migration)}');
${script}
${compatibleWith === undefined ? '' : `update latchkey.migrations set compatible_with = ${compatibleWith} where version = ${version};`}`);
}

const notOwned = (cause: Error) =>
  new SchemaError(
    'schema_not_owned',
    `The database role cannot migrate the schema: ${cause.message}. Set MIGRATION_DATABASE_URL, or the option \`migrationDatabase\`, to the URL of the role that owns the schema.`,
    { cause },
  );

const locked = ({ version }: Migration, { pausesMs }: LockWaiting, cause: unknown) =>
  new SchemaError(
    'schema_locked',
    `Migration ${version} needs a lock that another transaction holds. The migration changed nothing in ${pausesMs.length + 1} attempts. Find long transactions with \`select pid, xact_start, query from pg_stat_activity order by xact_start\`. Wait until they end, or end them, and migrate again.`,
    { cause },
  );
