import { AuthError } from '../core/errors.ts';
import type { DatabaseSource } from './adapter.ts';
import { type ConnectionParts, connectionParts } from './connection-parts.ts';
import { DatabaseError, type DatabaseProblem } from './database-error.ts';
import { SchemaError } from './schema-error.ts';
import { isUnavailable } from './sql-states.ts';
import { StatementTimeout } from './statement-timeout.ts';

/**
 * Runs work that needs the database.
 *
 * @param setting the setting that contains the database, for messages: a variable, or `the option database`
 * @throws DatabaseError if the work fails because the database cannot be used. Other errors stay unchanged.
 */
export async function explainDatabase<T>(
  source: DatabaseSource | null,
  setting: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw explained(error, connectionParts(source), setting) ?? error;
  }
}

function explained(error: unknown, at: ConnectionParts, setting: string): DatabaseError | null {
  if (error instanceof DatabaseError) return null;
  const isWrapped = error instanceof AuthError || error instanceof SchemaError;
  const cause = isWrapped && error.cause !== undefined ? error.cause : error;
  if (!(cause instanceof Error)) return null;
  const code = 'code' in cause ? `${cause.code}` : '';
  if (error instanceof SchemaError && !isDatabaseDenied(cause)) return null;
  const isUnusable = code === '42501' || isClosed(cause, code) || isUnavailable(cause);
  if (!isUnusable && !(error instanceof AuthError && error.code === 'unavailable')) return null;
  const [problem, text, nextStep] = describeFault(cause, code, at, setting);
  return new DatabaseError(problem, text, nextStep, { cause });
}

type Description = readonly [DatabaseProblem, problem: string, nextStep: string];

const unreachableCodes: Partial<Record<string, 'host_unknown' | 'connection_refused' | 'no_answer'>> = {
  ENOTFOUND: 'host_unknown',
  EAI_AGAIN: 'host_unknown',
  ECONNREFUSED: 'connection_refused',
  ENOENT: 'connection_refused',
  EHOSTUNREACH: 'no_answer',
  ENETUNREACH: 'no_answer',
  ETIMEDOUT: 'no_answer',
  CONNECT_TIMEOUT: 'no_answer',
};

function describeFault(cause: Error, code: string, at: ConnectionParts, setting: string): Description {
  if (isClosed(cause, code)) return closed(setting);
  const host = at.host || 'the database server';
  const role = at.role ? `role ${at.role}` : 'the role';
  switch (cause instanceof StatementTimeout ? 'no_answer' : unreachableCodes[code]) {
    case 'host_unknown':
      return [
        'host_unknown',
        `the host name ${host} does not resolve`,
        `Correct the host in ${setting}, or check the DNS of this machine`,
      ];
    case 'connection_refused':
      return [
        'connection_refused',
        `${host} refuses connections`,
        `Start PostgreSQL, or correct the host and the port in ${setting}`,
      ];
    case 'no_answer':
      return ['no_answer', `${host} does not respond in time`, 'Check the firewalls and the database server'];
  }
  switch (code) {
    case '25006':
      return [
        'not_primary',
        `no primary at ${host}, only a standby or a server that rejects changes`,
        `Correct the host in ${setting}, or list all hosts of the cluster: postgresql://user:password@host1:port,host2:port/database`,
      ];
    case '28P01':
      return [
        'password_wrong',
        `the password of ${role} is wrong, or the role does not exist`,
        `Correct the password in ${setting}, or change it: alter role ${named(at.role)} password '…'`,
      ];
    case '28000':
      return refused(cause, at.role, role, setting);
    case '3D000':
      return [
        'database_missing',
        `the database ${at.database} does not exist`,
        `Create it: createdb ${at.database}`,
      ];
    case '42501':
      return denied(cause, at, role);
    case '53300':
      return [
        'too_many_connections',
        'the server accepts no more connections',
        'Raise max_connections, or use a connection pooler',
      ];
    default:
      return ['other', cause.message || cause.name, `Check ${setting} and the log of the database server`];
  }
}

/** PostgreSQL reveals that a role does not exist only if `pg_hba.conf` requires no password. */
function refused(cause: Error, name: string, role: string, setting: string): Description {
  if (/role .* does not exist/.test(cause.message))
    return [
      'role_missing',
      `${role} does not exist`,
      `Create it: create role ${named(name)} login password '…', or correct the role in ${setting}`,
    ];
  return [
    'role_refused',
    `${role} is not allowed to connect`,
    `Allow it: alter role ${named(name)} login, or add a line for it to pg_hba.conf`,
  ];
}

/** A missing right (42501), with the `grant` that gives it. */
function denied(cause: Error, at: ConnectionParts, role: string): Description {
  const [database, grantee] = [named(at.database), named(at.role)];
  const asOwner = 'As the owner of the database or a superuser, run';
  if (!isDatabaseDenied(cause))
    return [
      'rights_missing',
      `${role} lacks privileges (${cause.message})`,
      `As the owner of the schema, grant the missing rights: latchkey migrate --service-role=${at.role || '<role>'}`,
    ];
  // PostgreSQL sends the same message for both rights. Only a failed connection is fatal.
  if ('severity' in cause && cause.severity === 'FATAL')
    return [
      'connect_denied',
      `${role} has no right to connect to the database ${at.database}`,
      `${asOwner}: grant connect on database ${database} to ${grantee}`,
    ];
  return [
    'create_denied',
    `${role} has no right to create the schema latchkey in the database ${at.database}`,
    `${asOwner}: grant create on database ${database} to ${grantee}. Or set MIGRATION_DATABASE_URL, or the option migrationDatabase, to the URL of a role with this right`,
  ];
}

const isDatabaseDenied = (cause: Error): boolean =>
  'code' in cause && cause.code === '42501' && /for database /.test(cause.message);

const closed = (setting: string): Description => [
  'client_closed',
  `the client in ${setting} is closed`,
  'Pass a client that is open, and do not call its end() before auth.close()',
];

/** The errors of a postgres.js client and a `pg` pool after `end()`. */
const isClosed = (cause: Error, code: string): boolean =>
  code === 'CONNECTION_ENDED' || cause.message.includes('after calling end on the pool');

/** A name as SQL, with quotation marks if it needs them. */
function named(name: string): string {
  if (name === '') return '<name>';
  return /^[a-z_][a-z\d_]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`;
}
