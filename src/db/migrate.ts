import type { Database } from '../core/database.ts';
import { applyMigration, type LockWaiting, lockWaiting } from './apply-migration.ts';
import { checksumOf, type Migration } from './migration.ts';
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
import { compatibility } from './migrations/0019-compatibility.ts';
import { imports } from './migrations/0020-imports.ts';
import { impersonation } from './migrations/0021-impersonation.ts';
import { organizationRoles } from './migrations/0022-organization-roles.ts';
import { userIds } from './migrations/0023-user-ids.ts';
import { userDirectory } from './migrations/0024-user-directory.ts';
import { figures } from './migrations/0025-figures.ts';
import { facts } from './migrations/0026-facts.ts';
import { auditLog } from './migrations/0027-audit-log.ts';
import { webhooks } from './migrations/0028-webhooks.ts';
import { auditWitness } from './migrations/0029-audit-witness.ts';
import { digitsAtTheEnd } from './migrations/0030-digits-at-the-end.ts';
import { attestation } from './migrations/0031-attestation.ts';
import { SchemaError } from './schema-error.ts';
import { sql } from './sql.ts';
import { isUndefinedColumn, isUndefinedTable } from './sql-states.ts';

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
  compatibility,
  imports,
  impersonation,
  organizationRoles,
  userIds,
  userDirectory,
  figures,
  facts,
  auditLog,
  webhooks,
  auditWitness,
  digitsAtTheEnd,
  attestation,
];

/** Which migrations have run in a database. */
export interface SchemaState {
  /** The versions that have run, ascending. */
  applied: number[];
  /** The versions that have not run, ascending. */
  pending: number[];
  /**
   * The pending versions that break the version of the package that migrated last, ascending. Stop all processes of
   * that version before you migrate. Empty in an empty database.
   */
  breaking: number[];
  /**
   * The versions that have run and that this package does not know, ascending. If `problem` is null, this package is
   * compatible with them, so it can use the schema during a rolling upgrade and after a rollback.
   */
  newer: number[];
  /**
   * Why this package cannot use the schema. `newer`: a newer version of this package has migrated the database, and this
   * package is not compatible with the migration. `edited`: a migration in the database differs from the migration in
   * this package. Null: this package can use the schema.
   */
  problem: 'newer' | 'edited' | null;
}

interface RecordedMigration {
  version: number;
  checksum: string;
  /** Null: only packages that know the migration can use the schema. */
  compatible_with: number | null;
}

/** Reads which migrations have run. In an empty database, all migrations are pending. */
export async function readSchemaState(db: Database, known = migrations): Promise<SchemaState> {
  const recorded = await readRecorded(db);
  const applied = recorded.map(versionOf);
  const missing = known.filter(({ version }) => !applied.includes(version));
  const newest = newestOf(known);
  const newestApplied = Math.max(0, ...applied);
  const later = recorded.filter(({ version }) => version > newest);
  // A newer package applies all earlier migrations first. If one is pending, the rows were changed by hand.
  const isCompatible =
    later.length === 0 || (missing.length === 0 && later.every((migration) => allows(migration, newest)));
  const edited = known.some((migration) => {
    const record = recorded.find(({ version }) => version === migration.version);
    return record !== undefined && record.checksum !== checksumOf(migration);
  });
  return {
    applied,
    pending: missing.map(versionOf),
    breaking: missing
      .filter((migration) => applied.length > 0 && breaks(migration, newestApplied))
      .map(versionOf),
    newer: later.map(versionOf),
    problem: isCompatible ? (edited ? 'edited' : null) : 'newer',
  };
}

const versionOf = ({ version }: { version: number }): number => version;

const breaks = ({ version, compatibleWith = version }: Migration, earlier: number): boolean =>
  compatibleWith > earlier;

const allows = ({ compatible_with }: RecordedMigration, newest: number): boolean =>
  compatible_with !== null && compatible_with <= newest;

/** The newest schema version that a package with these migrations knows. */
export const newestOf = (known: readonly Migration[]): number => Math.max(0, ...known.map(versionOf));

/**
 * Applies the pending migrations. Several processes can call this at the same time.
 *
 * Each migration is one script in one implicit transaction. The script takes an advisory lock, inserts the version and
 * changes the schema. If another process has applied the migration, the insert violates the primary key, and PostgreSQL
 * rolls the script back.
 *
 * @returns the versions that this call applied
 * @throws SchemaError `schema_newer` | `schema_edited` | `schema_locked` | `schema_not_owned`
 */
export async function migrate(
  db: Database,
  known = migrations,
  waiting: Partial<LockWaiting> = {},
): Promise<number[]> {
  const state = await readSchemaState(db, known);
  assertUsable(state);
  const done: number[] = [];
  for (const migration of known) {
    if (!state.pending.includes(migration.version)) continue;
    const isFirst = state.applied.length === 0 && migration === known[0];
    if (await applyMigration(db, migration, isFirst, { ...lockWaiting, ...waiting }))
      done.push(migration.version);
  }
  return done;
}

/**
 * Returns the state of the schema if this package can use the schema.
 *
 * @throws SchemaError `schema_outdated` | `schema_newer` | `schema_edited`
 */
export async function assertSchemaCurrent(db: Database): Promise<SchemaState> {
  const state = await readSchemaState(db);
  assertUsable(state);
  if (state.pending.length > 0) {
    throw new SchemaError(
      'schema_outdated',
      `The database lacks these migrations: ${state.pending.join(', ')}. Call createAuthService with \`migrate: true\`, or run \`latchkey migrate\` before starting.`,
    );
  }
  return state;
}

function assertUsable({ newer, problem }: SchemaState): void {
  if (problem === 'newer') {
    throw new SchemaError(
      'schema_newer',
      `A newer version of Latchkey has migrated the database to schema version ${newer.at(-1)}, which this version cannot use. Upgrade this package, because migrations cannot be undone.`,
    );
  }
  if (problem === 'edited') {
    throw new SchemaError(
      'schema_edited',
      'A migration in the table latchkey.migrations differs from the migration in this package. Reinstall the released package.',
    );
  }
}

async function readRecorded(db: Database): Promise<RecordedMigration[]> {
  try {
    return await db.query(sql`
      select version, checksum, compatible_with from latchkey.migrations order by version`);
  } catch (error) {
    if (isUndefinedTable(error)) return [];
    if (isUndefinedColumn(error)) return readBeforeMigration19(db);
    throw error;
  }
}

const readBeforeMigration19 = (db: Database): Promise<RecordedMigration[]> =>
  db.query(sql`
    select version, checksum, null::integer as compatible_with from latchkey.migrations order by version`);
