import { AuthError, openSchema, type Schema, type SchemaState } from 'latchkey';
import { databaseLabel, partsOfDatabaseUrl } from '../database-label.ts';
import type { Check } from './check.ts';
import { examineRole } from './role.ts';

export interface DatabaseFindings {
  checks: Check[];
  /** Whether the service can use the database. */
  usable: boolean;
}

/** @param retentionSeconds the setting AUDIT_RETENTION; null: events are kept permanently */
export async function examineDatabase(
  url: string,
  retentionSeconds: number | null,
): Promise<DatabaseFindings> {
  const schema = openSchema(url);
  try {
    const state = await schema.read();
    const reached: Check = { name: 'Database', level: 'ok', message: databaseLabel(url) };
    const usable = state.problem === null && state.pending.length === 0;
    const role = usable ? examineRole(await schema.readRole(), retentionSeconds) : [];
    return { checks: [reached, examineSchema(state), ...role, await examineClock(schema)], usable };
  } catch (error) {
    return { checks: [unreachable(error, url)], usable: false };
  } finally {
    await schema.close().catch(() => {});
  }
}

function unreachable(error: unknown, url: string): Check {
  const cause = error instanceof AuthError ? error.cause : error;
  const code = cause instanceof Error && 'code' in cause ? `${cause.code}` : '';
  const reason = cause instanceof Error ? cause.message || cause.name : 'unknown error';
  const { hosts, database, role } = partsOfDatabaseUrl(url);
  const known = connectionProblems({ host: hosts || 'localhost', database, role })[code];
  return {
    name: 'Database',
    level: 'error',
    message: known?.[0] ?? reason,
    why: 'Without the database, requests fail with 503.',
    fix: known?.[1] ?? 'Check DATABASE_URL and the log of the database server',
  };
}

type ConnectionProblems = Record<string, readonly [message: string, fix: string]>;

const connectionProblems = (at: { host: string; database: string; role: string }): ConnectionProblems => {
  const unknownName = [
    `the host name ${at.host} does not resolve`,
    'Correct the host in DATABASE_URL, or check the DNS of this machine',
  ] as const;
  const timedOut = [
    `${at.host} does not respond in time`,
    'Check the firewalls and the database server',
  ] as const;
  return {
    ENOTFOUND: unknownName,
    EAI_AGAIN: unknownName,
    ECONNREFUSED: [
      `${at.host} refuses connections`,
      'Start PostgreSQL, or correct the host and the port in DATABASE_URL',
    ],
    EHOSTUNREACH: timedOut,
    ETIMEDOUT: timedOut,
    CONNECT_TIMEOUT: timedOut,
    '25006': [
      `no primary at ${at.host}, only a standby or a server that rejects changes`,
      'Correct the host in DATABASE_URL, or list all hosts of the cluster: postgresql://user:password@host1:port,host2:port/database',
    ],
    '28P01': [`the password of role ${at.role} is wrong`, 'Correct the password in DATABASE_URL'],
    '28000': [
      `role ${at.role} is not allowed to connect`,
      'Create the role (create role … login), or allow it in pg_hba.conf',
    ],
    '3D000': [`the database ${at.database} does not exist`, `Create it: createdb ${at.database}`],
    '42501': [
      `role ${at.role} lacks privileges`,
      `As the owner of the schema, grant the missing rights: latchkey migrate --service-role=${at.role}`,
    ],
    '53300': ['the server accepts no more connections', 'Raise max_connections, or use a connection pooler'],
  };
};

function examineSchema({ applied, pending, problem }: SchemaState): Check {
  const name = 'Migrations';
  if (problem === 'newer') {
    return {
      name,
      level: 'error',
      message: 'a newer version of Latchkey migrated this database',
      why: 'The service does not start, because this version does not know the newer schema.',
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
