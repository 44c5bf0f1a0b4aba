import { AuthError, openSchema, type Schema, type SchemaState } from 'latchkey';
import { databaseLabel } from '../service.ts';
import type { Check } from './check.ts';

/** What there is to say about the database, and whether the service can work on it. */
export interface DatabaseFindings {
  checks: Check[];
  usable: boolean;
}

export async function examineDatabase(url: string): Promise<DatabaseFindings> {
  const schema = openSchema(url);
  try {
    const state = await schema.read();
    const reached: Check = { name: 'Database', level: 'ok', message: databaseLabel(url) };
    const usable = state.problem === null && state.pending.length === 0;
    return { checks: [reached, examineSchema(state), await examineClock(schema)], usable };
  } catch (error) {
    return { checks: [unreachable(error, url)], usable: false };
  } finally {
    await schema.close().catch(() => {});
  }
}

function unreachable(error: unknown, url: string): Check {
  const cause = error instanceof AuthError ? error.cause : error;
  const code = cause instanceof Error && 'code' in cause ? `${cause.code}` : '';
  const told = cause instanceof Error ? cause.message || cause.name : 'no answer';
  const { host: given, pathname, username } = new URL(url);
  const host = given || 'localhost';
  const known = obstacles({ host, database: pathname.slice(1), role: username })[code];
  return {
    name: 'Database',
    level: 'fault',
    message: known?.[0] ?? told,
    why: 'Without its database the service answers 503 to everything.',
    mend: known?.[1] ?? 'Look at the server’s log, and at DATABASE_URL',
  };
}

type Obstacles = Record<string, readonly [message: string, mend: string]>;

const obstacles = (at: { host: string; database: string; role: string }): Obstacles => {
  const unknownName = [
    `the name of ${at.host} cannot be resolved`,
    'Correct the host in DATABASE_URL, or this machine’s name service',
  ] as const;
  const timedOut = [
    `${at.host} does not answer in time`,
    'See whether a firewall stands between, or the server hangs',
  ] as const;
  return {
    ENOTFOUND: unknownName,
    EAI_AGAIN: unknownName,
    ECONNREFUSED: [
      `nothing listens at ${at.host}`,
      'Start PostgreSQL there, or correct host and port in DATABASE_URL',
    ],
    EHOSTUNREACH: timedOut,
    ETIMEDOUT: timedOut,
    CONNECT_TIMEOUT: timedOut,
    '28P01': [`the password of role ${at.role} is not accepted`, 'Correct the password in DATABASE_URL'],
    '28000': [
      `role ${at.role} may not connect`,
      'Make the role (create role … login), or allow it in pg_hba.conf',
    ],
    '3D000': [`there is no database ${at.database}`, `Make it: createdb ${at.database}`],
    '42501': [
      `role ${at.role} may not use what it needs`,
      `Let it own the database: alter database ${at.database} owner to ${at.role}`,
    ],
    '53300': ['the server takes no more connections', 'Raise max_connections, or put a pooler before it'],
  };
};

function examineSchema({ applied, pending, problem }: SchemaState): Check {
  const name = 'Migrations';
  if (problem === 'newer') {
    return {
      name,
      level: 'fault',
      message: 'the schema is of a newer version of Latchkey',
      why: 'The service does not start on it: it would not know what the columns mean.',
      mend: 'Upgrade the package: npm install latchkey@latest',
    };
  }
  if (problem === 'edited') {
    return {
      name,
      level: 'fault',
      message: 'a migration that ran is not the one in this package',
      why: 'The service does not start: nobody knows what the schema is.',
      mend: 'Restore the package as released: npm install',
    };
  }
  if (pending.length === 0) return { name, level: 'ok', message: `up to date, at ${applied.at(-1)}` };
  return {
    name,
    level: 'fault',
    message: `migration ${pending.join(', ')} has not run`,
    why: 'The service does not start on an outdated schema.',
    mend: 'latchkey migrate',
  };
}

const second = 1000;

/** Rows live by the database's clock, ceremonies and service tokens by this process's. */
async function examineClock(schema: Schema): Promise<Check> {
  const before = Date.now();
  const theirs = (await schema.readClock()).getTime();
  const away = Math.round((theirs - (before + Date.now()) / 2) / 100) / 10;
  const name = 'Clocks';
  if (Math.abs(away) < 2)
    return { name, level: 'ok', message: `${Math.abs(away)} s between here and the database` };
  return {
    name,
    level: Math.abs(away) * second < 30 * second ? 'warning' : 'fault',
    message: `the database’s clock is ${Math.abs(away)} s ${away > 0 ? 'ahead of' : 'behind'} this machine’s`,
    why: 'Ceremonies and service tokens expire by this clock, sessions and links by the other.',
    mend: 'Let both keep time by NTP: timedatectl set-ntp true',
  };
}
