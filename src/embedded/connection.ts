import postgres from 'postgres';
import { errorCode } from './file-errors.ts';

/** The superuser role initdb makes, and the database the application gets. */
export const ROLE = 'latchkey';
const DATABASE = 'latchkey';

/** initdb's own database, there from the start: where `create database` is said. */
const MAINTENANCE_DATABASE = 'postgres';

const CATALOG_DOES_NOT_EXIST = '3D000';
const DUPLICATE_DATABASE = '42P04';
const REFUSED_FOR_GOOD = ['28P01', '28000'];

/** The URL applications get. */
export function applicationUrl(port: number, password: string): string {
  return urlOf(port, password, DATABASE);
}

/** The URL that works from initdb on, before the application's database is made. */
export function maintenanceUrl(port: number, password: string): string {
  return urlOf(port, password, MAINTENANCE_DATABASE);
}

function urlOf(port: number, password: string, database: string): string {
  return `postgresql://${ROLE}:${password}@127.0.0.1:${port}/${database}`;
}

export type Answer = 'accepts' | 'refuses our password' | 'not now';

/** Logs in and asks the server which data directory is its own: another may have the port by now. */
export async function askServer(url: string, dataDirectory: string): Promise<Answer> {
  try {
    const directory = await queryOnce(url, "select current_setting('data_directory') as directory");
    return directory === dataDirectory ? 'accepts' : 'not now';
  } catch (error) {
    return REFUSED_FOR_GOOD.includes(errorCode(error) ?? '') ? 'refuses our password' : 'not now';
  }
}

/** A start killed between initdb and this leaves no application database, so every start looks. */
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

/** One statement on a connection of its own; the first column of the first row. */
async function queryOnce(url: string, statement: string): Promise<unknown> {
  const client = postgres(url, {
    max: 1,
    ssl: false,
    // Seconds. A server that is recovering, or a machine at its limits, may take its time to answer.
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
