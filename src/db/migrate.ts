import { createHash } from 'node:crypto';
import type { Database } from '../core/database.ts';
import { accounts } from './migrations/0001-accounts.ts';
import { otherWaysIn } from './migrations/0002-other-ways-in.ts';
import { authority } from './migrations/0003-authority.ts';
import { notifications } from './migrations/0004-notifications.ts';
import { retention } from './migrations/0005-retention.ts';
import { growth } from './migrations/0006-growth.ts';
import { recovery } from './migrations/0007-recovery.ts';
import { organizationInvitations } from './migrations/0008-organization-invitations.ts';
import { bursts } from './migrations/0009-bursts.ts';
import { lookAlikes } from './migrations/0010-look-alikes.ts';
import { passkeyHolders } from './migrations/0011-passkey-holders.ts';
import { auditMinimum } from './migrations/0012-audit-minimum.ts';
import { secrets } from './migrations/0013-secrets.ts';
import { releasedUsernames } from './migrations/0014-released-usernames.ts';
import { erasure } from './migrations/0015-erasure.ts';
import { primary } from './migrations/0016-primary.ts';
import { userInvitations } from './migrations/0017-user-invitations.ts';
import { ownFields } from './migrations/0018-own-fields.ts';
import { impersonation } from './migrations/0021-impersonation.ts';
import { Script, sql } from './sql.ts';
import { isRefused, isUndefinedTable, violatesUnique } from './sql-states.ts';

/**
 * One step of the schema. A released migration never changes, because each database stores a checksum of the script.
 */
export interface Migration {
  version: number;
  name: string;
  script: string;
}

export const migrations: readonly Migration[] = [
  accounts,
  otherWaysIn,
  authority,
  notifications,
  retention,
  growth,
  recovery,
  organizationInvitations,
  bursts,
  lookAlikes,
  passkeyHolders,
  auditMinimum,
  secrets,
  releasedUsernames,
  erasure,
  primary,
  userInvitations,
  ownFields,
  impersonation,
];

/** Which migrations have run in a database. */
export interface SchemaState {
  /** The versions that have run, ascending. */
  applied: number[];
  /** The versions that have not run, ascending. */
  pending: number[];
  /**
   * Why this package cannot use the schema. `newer`: a newer version of this package has migrated the database.
   * `edited`: a migration in the database differs from the migration in this package. Null: this package can use the
   * schema.
   */
  problem: 'newer' | 'edited' | null;
}

/**
 * Thrown if this package cannot use the database's schema, or cannot grant rights on it:
 *
 * - `schema_outdated`, `schema_newer`, `schema_edited`: see `SchemaState`
 * - `schema_not_owned`: the role of the URL does not own the schema
 * - `service_role_missing`, `service_role_owns`: the role of the service does not exist, or owns the schema
 */
export class SchemaError extends Error {
  override readonly name = 'SchemaError';
  readonly code:
    | 'schema_outdated'
    | 'schema_newer'
    | 'schema_edited'
    | 'schema_not_owned'
    | 'service_role_missing'
    | 'service_role_owns';

  constructor(code: SchemaError['code'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

const checksumOf = (migration: Migration) => createHash('sha256').update(migration.script).digest('hex');

/** Reads which migrations have run. In an empty database, all migrations are pending. */
export async function readSchemaState(db: Database, known = migrations): Promise<SchemaState> {
  const recorded = await readRecorded(db);
  const applied = recorded.map(({ version }) => version);
  const newest = Math.max(0, ...known.map(({ version }) => version));
  const edited = known.some((migration) => {
    const record = recorded.find(({ version }) => version === migration.version);
    return record !== undefined && record.checksum !== checksumOf(migration);
  });
  return {
    applied,
    pending: known.map(({ version }) => version).filter((version) => !applied.includes(version)),
    problem: applied.some((version) => version > newest) ? 'newer' : edited ? 'edited' : null,
  };
}

/**
 * Applies the pending migrations. Several processes can call this at the same time.
 *
 * Each migration is one script in one implicit transaction. The script takes an advisory lock, inserts the version and
 * changes the schema. If another process has applied the migration, the insert violates the primary key, and PostgreSQL
 * rolls the script back.
 *
 * @returns the versions that this call applied
 * @throws SchemaError `schema_newer` | `schema_edited` | `schema_not_owned`
 */
export async function migrate(db: Database, known = migrations): Promise<number[]> {
  const state = await readSchemaState(db, known);
  assertUsable(state);
  const done: number[] = [];
  for (const migration of known) {
    if (!state.pending.includes(migration.version)) continue;
    const isFirst = state.applied.length === 0 && migration === known[0];
    if (await apply(db, migration, isFirst)) done.push(migration.version);
  }
  return done;
}

/** @throws SchemaError `schema_outdated` | `schema_newer` | `schema_edited` */
export async function assertSchemaCurrent(db: Database): Promise<void> {
  const state = await readSchemaState(db);
  assertUsable(state);
  if (state.pending.length > 0) {
    throw new SchemaError(
      'schema_outdated',
      `The database lacks these migrations: ${state.pending.join(', ')}. Call createAuthService with \`migrate: true\`, or run \`latchkey migrate\` before starting.`,
    );
  }
}

function assertUsable(state: SchemaState): void {
  if (state.problem === 'newer') {
    throw new SchemaError(
      'schema_newer',
      'A newer version of Latchkey has migrated the database. Upgrade this package, because migrations cannot be undone.',
    );
  }
  if (state.problem === 'edited') {
    throw new SchemaError(
      'schema_edited',
      'A migration in the table latchkey.migrations differs from the migration in this package. Reinstall the released package.',
    );
  }
}

const notOwned = (cause: Error) =>
  new SchemaError(
    'schema_not_owned',
    `The database role cannot migrate the schema: ${cause.message}. Set MIGRATION_DATABASE_URL, or the option \`migrationDatabase\`, to the URL of the role that owns the schema.`,
    { cause },
  );

async function readRecorded(db: Database): Promise<{ version: number; checksum: string }[]> {
  try {
    return await db.query(sql`select version, checksum from latchkey.migrations order by version`);
  } catch (error) {
    if (isUndefinedTable(error)) return [];
    throw error;
  }
}

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

async function apply(db: Database, migration: Migration, isFirst: boolean): Promise<boolean> {
  const script = `${safePath}
select pg_advisory_xact_lock(${migrationLock});
${isFirst ? foundation : ''}
insert into latchkey.migrations (version, name, checksum)
values (${migration.version}, '${migration.name}', '${checksumOf(migration)}');
${migration.script}`;
  try {
    await db.query(new Script(script));
    return true;
  } catch (error) {
    if (violatesUnique(error, 'version')) return false;
    if (isRefused(error)) throw notOwned(error);
    throw error;
  }
}
