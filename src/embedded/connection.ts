import { createHmac } from 'node:crypto';
import postgres from 'postgres';
import { errorCode } from './file-errors.ts';

/** The superuser that initdb creates. */
export const SUPERUSER = 'postgres';
/** The superuser of databases that earlier versions of this package have created. */
export const FORMER_SUPERUSER = 'latchkey';
/** The role that migrates, and owns the database and the schema `latchkey`. */
export const OWNER = 'latchkey_owner';
/** The role of the service and of the application. It cannot change the tables and the audit log of the service. */
export const SERVICE = 'latchkey_service';

export const DATABASE = 'latchkey';
/** A database that initdb creates. `create database` needs a connection to an existing database. */
export const MAINTENANCE_DATABASE = 'postgres';

/** invalid_password, invalid_authorization_specification */
const WRONG_PASSWORD = ['28P01', '28000'];

/**
 * The port of a running server, and the superuser's password. The other passwords are derived from this
 * password.
 */
export type ServerAccess = { port: number; password: string };

export function urlOf({ port, password }: ServerAccess, role: string, database = DATABASE): string {
  return `postgresql://${role}:${passwordOf(role, password)}@127.0.0.1:${port}/${database}`;
}

/** Each role has its own password, so the service's URL does not reveal the passwords of the other roles. */
export function passwordOf(role: string, superuserPassword: string): string {
  const isSuperuser = role === SUPERUSER || role === FORMER_SUPERUSER;
  return isSuperuser
    ? superuserPassword
    : createHmac('sha256', superuserPassword).update(role).digest('base64url');
}

export type Answer = 'accepts' | 'wrong password' | 'unavailable';

/**
 * Connects as the superuser, with its current or its former name. Compares the data directory, because
 * another PostgreSQL can be using the port.
 */
export async function askServer(access: ServerAccess, dataDirectory: string): Promise<Answer> {
  const answer = await askAs(SUPERUSER, access, dataDirectory);
  return answer === 'wrong password' ? askAs(FORMER_SUPERUSER, access, dataDirectory) : answer;
}

async function askAs(role: string, access: ServerAccess, dataDirectory: string): Promise<Answer> {
  try {
    const url = urlOf(access, role, MAINTENANCE_DATABASE);
    const directory = await queryOnce(url, "select current_setting('data_directory') as directory");
    return directory === dataDirectory ? 'accepts' : 'unavailable';
  } catch (error) {
    return isWrongPassword(error) ? 'wrong password' : 'unavailable';
  }
}

/** Whether PostgreSQL rejected the password. PostgreSQL gives the same answer for a role that does not exist. */
export const isWrongPassword = (error: unknown): boolean => WRONG_PASSWORD.includes(errorCode(error) ?? '');

/** Runs one or more statements on a new connection. Returns the first column of the first row. */
export async function queryOnce(url: string, statements: string): Promise<unknown> {
  const client = postgres(url, {
    max: 1,
    ssl: false,
    // In seconds. Long, because a server is slow while it recovers or while the machine is overloaded.
    connect_timeout: 15,
    fetch_types: false,
    onnotice: () => undefined,
  });
  try {
    const rows = await client.unsafe(statements);
    return Object.values(rows[0] ?? {})[0];
  } finally {
    await client.end({ timeout: 1 });
  }
}
