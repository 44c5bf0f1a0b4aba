import { v7 as uuid } from 'uuid';
import type { Database } from '../core/database.ts';
import { sql } from './sql.ts';

/** The settings of the database that the service reads at start. */
export interface DatabaseSettings {
  /**
   * The schema in which `create table` without a schema name creates a table. Null: no such schema exists.
   */
  currentSchema: string | null;
  /** The audit log keeps each event for at least this number of days. */
  auditRetentionMinimumDays: number;
}

/** The role of a database URL, as `Schema.readRole` returns it. */
export interface DatabaseRole extends DatabaseSettings {
  name: string;
  /** Whether the role can update or delete audit events, for example because the role owns the schema. */
  canChangeAuditLog: boolean;
}

/** `forget_audit_events` uses the same default if the table of settings has no row. */
const defaultMinimumDays = 90;

export async function readDatabaseSettings(db: Database): Promise<DatabaseSettings> {
  const [settings] = await db.query<DatabaseSettings>(sql`
    select current_schema() as "currentSchema",
      settings.audit_retention_minimum_days as "auditRetentionMinimumDays"
    from latchkey.settings`);
  return settings ?? { currentSchema: null, auditRetentionMinimumDays: defaultMinimumDays };
}

export async function readRoleName(db: Database): Promise<string> {
  const [role] = await db.query<{ name: string }>(sql`select current_user as name`);
  return role?.name ?? '';
}

export async function readDatabaseRole(db: Database): Promise<DatabaseRole> {
  const settings = await readDatabaseSettings(db);
  const [role] = await db.query<Pick<DatabaseRole, 'name' | 'canChangeAuditLog'>>(sql`
    select current_user as name,
      has_table_privilege(pg_class.oid, 'update, delete, truncate') as "canChangeAuditLog"
    from pg_class
    where pg_class.relnamespace = 'latchkey'::regnamespace and pg_class.relname = 'audit_events'`);
  return { name: role?.name ?? '', canChangeAuditLog: role?.canChangeAuditLog ?? false, ...settings };
}

/**
 * Changes the minimum retention of the audit log, and records an audit event if the minimum was different. Only the
 * owner of the schema can do this.
 */
export async function changeAuditMinimum(db: Database, days: number, operator: string): Promise<void> {
  const id = uuid();
  const change = sql`
    select latchkey.change_audit_minimum(${days}::integer, ${operator}::text, ${id}::uuid)`;
  await db.query(change.withAuditEvent({ id, event: 'audit.change_minimum' }));
}
