import postgres from 'postgres';
import { errorCode } from './file-errors.ts';

/** The superuser role that initdb creates. */
export const ROLE = 'latchkey';
const DATABASE = 'latchkey';

/** A database that initdb creates. `create database` needs a connection to an existing database. */
const MAINTENANCE_DATABASE = 'postgres';

const CATALOG_DOES_NOT_EXIST = '3D000';
const DUPLICATE_DATABASE = '42P04';
/** invalid_password, invalid_authorization_specification */
const WRONG_PASSWORD = ['28P01', '28000'];

export function applicationUrl(port: number, password: string): string {
  return urlOf(port, password, DATABASE);
}

/** Returns the URL of the database that initdb has created. */
export function maintenanceUrl(port: number, password: string): string {
  return urlOf(port, password, MAINTENANCE_DATABASE);
}

function urlOf(port: number, password: string, database: string): string {
  return `postgresql://${ROLE}:${password}@127.0.0.1:${port}/${database}`;
}

export type Answer = 'accepts' | 'wrong password' | 'unavailable';

/** Connects to the URL. Compares the data directory, because another PostgreSQL can be using the port. */
export async function askServer(url: string, dataDirectory: string): Promise<Answer> {
  try {
    const directory = await queryOnce(url, "select current_setting('data_directory') as directory");
    return directory === dataDirectory ? 'accepts' : 'unavailable';
  } catch (error) {
    return WRONG_PASSWORD.includes(errorCode(error) ?? '') ? 'wrong password' : 'unavailable';
  }
}

/** Creates the application's database if it is missing: at the first start, or after a start that was killed. */
export async function ensureDatabase(port: number, password: string): Promise<void> {
  try {
    await queryOnce(applicationUrl(port, password), 'select current_database() as name');
  } catch (error) {
    if (errorCode(error) !== CATALOG_DOES_NOT_EXIST) throw error;
    await createDatabase(port, password);
  }
}

async function createDatabase(port: number, password: string): Promise<void> {
  try {
    await queryOnce(maintenanceUrl(port, password), `create database ${DATABASE}`);
  } catch (error) {
    if (errorCode(error) !== DUPLICATE_DATABASE) throw error;
  }
}

/** Runs one statement on a new connection. Returns the first column of the first row. */
async function queryOnce(url: string, statement: string): Promise<unknown> {
  const client = postgres(url, {
    max: 1,
    ssl: false,
    // In seconds. Long, because a server is slow while it recovers or while the machine is overloaded.
    connect_timeout: 15,
    fetch_types: false,
    onnotice: () => undefined,
  });
  try {
    const rows = await client.unsafe(statement);
    return Object.values(rows[0] ?? {})[0];
  } finally {
    await client.end({ timeout: 1 });
  }
}
