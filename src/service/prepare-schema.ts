import type { ConfigurationOptions } from '../core/config-options.ts';
import type { Database } from '../core/database.ts';
import type { Runtime } from '../core/runtime.ts';
import { composeDatabase, withoutTimeout } from '../db/compose-database.ts';
import { readDatabaseSettings, readRoleName } from '../db/database-role.ts';
import { explainDatabase } from '../db/explain-database.ts';
import {
  assertSchemaCurrent,
  migrate,
  migrations,
  readSchemaState,
  type SchemaState,
} from '../db/migrate.ts';
import { connectPostgres } from '../db/own-pool.ts';
import { grantServiceRole, ownsSchema, renewServiceRights } from '../db/service-role.ts';

/** The parts of the runtime that exist before the service reads its secrets from the database. */
type Prepared = Pick<Runtime, 'config' | 'log' | 'db'>;

/**
 * Checks the schema before the service starts. With the option `migrate`, migrates it first. Then logs a warning for
 * each setting of the database that puts the tables of the application or the audit log at risk.
 *
 * @throws SchemaError | DatabaseError
 */
export async function prepareSchema(
  runtime: Prepared,
  adapter: Database,
  options: ConfigurationOptions & { migrate?: boolean },
): Promise<void> {
  const migrating = options.migrate ?? false;
  const { migrationDatabaseUrl } = runtime.config;
  if (migrating && migrationDatabaseUrl !== null) {
    const setting =
      options.migrationDatabase == null ? 'MIGRATION_DATABASE_URL' : 'the option migrationDatabase';
    const role = await readRoleName(runtime.db);
    await explainDatabase(migrationDatabaseUrl, setting, () =>
      migrateAsOwner(runtime, migrationDatabaseUrl, role),
    );
  }
  if (migrating && migrationDatabaseUrl === null) await migrateWith(runtime, adapter, runtime.db);
  else warnAboutNewerSchema(runtime, await assertSchemaCurrent(runtime.db));
  await warnAboutDatabase(runtime, options);
}

/** Migrates with the role that owns the schema, and gives the service's role the rights that the service needs. */
async function migrateAsOwner(runtime: Prepared, url: string, role: string): Promise<void> {
  const adapter = connectPostgres(url);
  const owner = withoutTimeout(adapter);
  try {
    await migrateWith(runtime, adapter, composeDatabase(adapter));
    if (!(await ownsSchema(owner, role))) await grantServiceRole(owner, role);
  } finally {
    await adapter.close?.();
  }
}

/** Runs the pending migrations. The usual time limit of statements does not apply to them. */
async function migrateWith({ log }: Prepared, adapter: Database, db: Database): Promise<void> {
  // This read has the usual time limit, so it fails within seconds if the database is unreachable.
  await readSchemaState(db);
  const unlimited = withoutTimeout(adapter);
  const applied = await migrate(unlimited, migrations, {
    onWait: (version) =>
      log.warn({ version }, 'the migration waits for a lock that another transaction holds'),
  });
  // Another process with a newer version can have migrated at the same time.
  warnAboutNewerSchema({ log }, await assertSchemaCurrent(db));
  if (applied.length > 0) log.info({ applied }, 'migrated the database schema');
  await renewServiceRights(unlimited);
}

function warnAboutNewerSchema({ log }: Pick<Prepared, 'log'>, { newer }: SchemaState): void {
  if (newer.length === 0) return;
  log.warn(
    { newer },
    'a newer version of Latchkey has migrated the database; this version is compatible with the schema',
  );
}

async function warnAboutDatabase(
  { config, db, log }: Prepared,
  options: ConfigurationOptions,
): Promise<void> {
  const { currentSchema, auditRetentionMinimumDays } = await readDatabaseSettings(db);
  if (currentSchema === 'latchkey') {
    log.warn(
      {},
      'tables that the application creates without a schema go into the schema latchkey, because the database role is ' +
        'named latchkey or its search_path begins with latchkey; use a role with another name, or run: ' +
        'alter role <role> set search_path = public',
    );
  }
  const { auditRetentionDays } = config;
  const setting = options.auditRetentionDays === undefined ? 'AUDIT_RETENTION' : 'auditRetentionDays';
  if (auditRetentionDays !== null && auditRetentionDays < auditRetentionMinimumDays) {
    log.warn(
      { auditRetentionDays, auditRetentionMinimumDays },
      `the audit log is not pruned, because ${setting} is ${auditRetentionDays} days and the database keeps ` +
        `each event for at least ${auditRetentionMinimumDays} days; raise ${setting}, or run as the owner of the ` +
        'schema: latchkey migrate --audit-retention-minimum=<days>',
    );
  }
}
