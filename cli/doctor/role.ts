import type { DatabaseRole } from 'latchkey';
import type { Check } from './check.ts';

/**
 * Checks what an attacker with the service's database role could do, and into which schema the tables of the
 * application go.
 *
 * @param retentionDays the setting AUDIT_RETENTION; null: events are kept permanently
 */
export function examineRole(role: DatabaseRole, retentionDays: number | null): Check[] {
  return [examineRights(role), ...examineSearchPath(role), ...examineRetention(role, retentionDays)];
}

function examineRights({ name: role, canChangeAuditLog }: DatabaseRole): Check {
  const name = 'Database role';
  if (!canChangeAuditLog) return { name, level: 'ok', message: `${role} cannot change the audit log` };
  return {
    name,
    level: 'warning',
    message: `${role} can change the audit log, for example because it owns the tables`,
    why: 'An attacker who takes over the service can delete the traces of the attack.',
    fix: 'Create a second role for DATABASE_URL, set MIGRATION_DATABASE_URL to the current URL, then run: latchkey migrate --service-role=<second role>',
  };
}

function examineSearchPath({ name: role, currentSchema }: DatabaseRole): Check[] {
  if (currentSchema !== 'latchkey') return [];
  return [
    {
      name: 'Search path',
      level: 'warning',
      message: `tables that ${role} creates without a schema go into the schema latchkey`,
      why: 'The schema of the service also contains tables of the application. `create table if not exists users` has no effect, because the service has a table with this name.',
      fix: `Use a role that is not named latchkey, or run: alter role ${role} set search_path = public`,
    },
  ];
}

function examineRetention(
  { auditRetentionMinimumDays: days }: DatabaseRole,
  retentionDays: number | null,
): Check[] {
  if (retentionDays === null || retentionDays >= days) return [];
  return [
    {
      name: 'Audit retention',
      level: 'warning',
      message: `AUDIT_RETENTION is ${retentionDays} days, and the database keeps events for at least ${days} days`,
      why: 'The service cannot delete old audit events, so the audit log grows.',
      fix: `Raise AUDIT_RETENTION to ${days}, or run: latchkey migrate --audit-retention-minimum=<days>`,
    },
  ];
}
