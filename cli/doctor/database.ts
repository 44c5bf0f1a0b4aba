import { DatabaseError, openSchema, type Schema, type SchemaState } from 'latchkey';
import { databaseLabel } from '../database-label.ts';
import type { OpenDatabase } from '../service.ts';
import type { Check } from './check.ts';
import { examineRole } from './role.ts';

export interface DatabaseFindings {
  checks: Check[];
  /** Whether the service can use the database. */
  usable: boolean;
}

/** @param retentionDays the setting AUDIT_RETENTION; null: events are kept permanently */
export async function examineDatabase(
  { source, setting }: Pick<OpenDatabase, 'source' | 'setting'>,
  retentionDays: number | null,
): Promise<DatabaseFindings> {
  const schema = openSchema(source, { setting });
  try {
    const state = await schema.read();
    const reached: Check = { name: 'Database', level: 'ok', message: databaseLabel(source) };
    const usable = state.problem === null && state.pending.length === 0;
    const role = usable ? examineRole(await schema.readRole(), retentionDays) : [];
    return { checks: [reached, examineSchema(state), ...role, await examineClock(schema)], usable };
  } catch (error) {
    return { checks: [unusable(error, setting)], usable: false };
  } finally {
    await schema.close().catch(() => {});
  }
}

function unusable(error: unknown, setting: string): Check {
  const known = error instanceof DatabaseError ? error : null;
  const reason = error instanceof Error ? error.message || error.name : 'unknown error';
  return {
    name: 'Database',
    level: 'error',
    message: known?.problem ?? reason,
    why: 'Without the database, requests fail with 503.',
    fix: known?.nextStep ?? `Check ${setting} and the log of the database server`,
  };
}

function examineSchema({ applied, pending, newer, problem }: SchemaState): Check {
  const name = 'Migrations';
  if (problem === 'newer') {
    return {
      name,
      level: 'error',
      message: `a newer version of Latchkey migrated this database to version ${applied.at(-1)}`,
      why: 'The service does not start, because this version is not compatible with the newer schema.',
      fix: 'Upgrade Latchkey: npm install latchkey@latest',
    };
  }
  if (problem === 'edited') {
    return {
      name,
      level: 'error',
      message: 'an applied migration differs from the migration in this package',
      why: 'The service does not start, because the schema can differ from the expected schema.',
      fix: 'Reinstall Latchkey: delete node_modules/latchkey, then run npm install',
    };
  }
  if (newer.length > 0)
    return {
      name,
      level: 'ok',
      message: `newer than this version of Latchkey (version ${applied.at(-1)}), compatible`,
    };
  if (pending.length === 0) return { name, level: 'ok', message: `up to date, version ${applied.at(-1)}` };
  return {
    name,
    level: 'error',
    message: `pending: ${pending.join(', ')}`,
    why: 'The service does not start with an outdated schema, unless createAuthService gets `migrate: true`.',
    fix: 'latchkey migrate',
  };
}

const second = 1000;

async function examineClock(schema: Schema): Promise<Check> {
  const before = Date.now();
  const databaseTime = (await schema.readClock()).getTime();
  const skew = Math.round((databaseTime - (before + Date.now()) / 2) / 100) / 10;
  const name = 'Clocks';
  if (Math.abs(skew) < 2) return { name, level: 'ok', message: `${Math.abs(skew)} s apart` };
  return {
    name,
    level: Math.abs(skew) * second < 30 * second ? 'warning' : 'error',
    message: `the database’s clock is ${Math.abs(skew)} s ${skew > 0 ? 'ahead of' : 'behind'} this machine’s`,
    why: 'Ceremonies and service tokens expire by this machine’s clock. Sessions and links expire by the database’s clock.',
    fix: 'Synchronize both clocks with NTP: timedatectl set-ntp true',
  };
}
