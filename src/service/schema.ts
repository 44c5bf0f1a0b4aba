import { adapterFor, type DatabaseSource } from '../db/adapter.ts';
import { composeDatabase, withoutTimeout } from '../db/compose-database.ts';
import { changeAuditMinimum, type DatabaseRole, readDatabaseRole } from '../db/database-role.ts';
import { explainDatabase } from '../db/explain-database.ts';
import { migrate, migrations, readSchemaState, type SchemaState } from '../db/migrate.ts';
import { grantServiceRole, renewServiceRights } from '../db/service-role.ts';
import { sql } from '../db/sql.ts';

/** Options of {@link Schema.migrate}. */
export interface MigrationOptions {
  /**
   * The name of the database role of the service. The role must exist, and must not own the schema. It gets the rights
   * that the service needs, and loses all other rights on the tables of the schema. Later calls of `migrate` without this
   * option renew these rights.
   */
  serviceRole?: string;
  /**
   * The minimum number of days for which the audit log keeps each event: 1 to 36500. The service's role
   * cannot change this minimum. Default: no change. The minimum of a new database is 90.
   */
  auditRetentionMinimumDays?: number;
  /** The name of the operator who changes the minimum, for the audit log. Default: `operator`. */
  operator?: string;
  /** Called each time a migration pauses, because another transaction holds a lock that the migration needs. */
  onLockWait?: (version: number) => void;
}

/** Options of {@link openSchema}. */
export interface SchemaOptions {
  /**
   * The name of the setting that contains the database, for the messages of a `DatabaseError`. Default: `the database
   * URL`.
   */
  setting?: string;
}

/** The schema of a database, for deployment scripts and health checks. */
export interface Schema {
  /** Reads which migrations have run, and whether this package can use the schema. @throws DatabaseError */
  read(): Promise<SchemaState>;
  /**
   * Runs the pending migrations, and gives the service's role its rights. Several processes can call this at the same
   * time. The role of the database URL must own the schema.
   *
   * @returns the versions that this call applied
   * @throws SchemaError `schema_newer` | `schema_edited` | `schema_locked` | `schema_not_owned` |
   *   `service_role_missing` | `service_role_owns`
   * @throws DatabaseError
   * @example
   * await schema.migrate({ serviceRole: 'latchkey_service' });
   */
  migrate(options?: MigrationOptions): Promise<number[]>;
  /**
   * Reads the rights of the role of the database URL, and settings of the database. The schema must be up to date.
   *
   * @throws DatabaseError
   */
  readRole(): Promise<DatabaseRole>;
  /**
   * Reads the clock of the database, which decides when sessions, codes, links and invitations expire.
   *
   * @throws AuthError `unavailable`
   */
  readClock(): Promise<Date>;
  /** Closes the connections that `openSchema` opened. Does not close a client of the application. */
  close(): Promise<void>;
}

/**
 * Gives access to the schema of a database without starting the service.
 *
 * @throws TypeError for an invalid database
 * @example
 * const schema = openSchema('postgresql://latchkey_owner@localhost/app');
 * await schema.migrate({ serviceRole: 'latchkey_service' });
 * await schema.close();
 */
export function openSchema(
  database: DatabaseSource,
  { setting = 'the database URL' }: SchemaOptions = {},
): Schema {
  const adapter = adapterFor(database);
  const db = composeDatabase(adapter);
  const explain = <T>(work: () => Promise<T>) => explainDatabase(database, setting, work);
  async function migrateSchema(options: MigrationOptions): Promise<number[]> {
    const { serviceRole, auditRetentionMinimumDays, operator = 'operator', onLockWait } = options;
    // This read has the usual time limit, so it fails within seconds if the database is unreachable. The migration
    // has no time limit.
    await readSchemaState(db);
    const unlimited = withoutTimeout(adapter);
    const applied = await migrate(unlimited, migrations, { ...(onLockWait && { onWait: onLockWait }) });
    if (serviceRole === undefined) await renewServiceRights(unlimited);
    else await grantServiceRole(unlimited, serviceRole);
    if (auditRetentionMinimumDays !== undefined)
      await changeAuditMinimum(db, auditRetentionMinimumDays, operator);
    return applied;
  }
  return {
    read: () => explain(() => readSchemaState(db)),
    migrate: (options = {}) => explain(() => migrateSchema(options)),
    readRole: () => explain(() => readDatabaseRole(db)),
    readClock: async () => {
      const [row] = await db.query<{ ms: string }>(sql`select extract(epoch from now()) * 1000 as ms`);
      return new Date(Number(row?.ms));
    },
    close: async () => adapter.close?.(),
  };
}
