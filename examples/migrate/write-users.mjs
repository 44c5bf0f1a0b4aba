import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import postgres from 'postgres';

/**
 * Reads users from the database in OLD_DATABASE_URL, and writes one record per line to standard output. The cursor
 * reads 500 rows at a time, so a million users need little memory. All rows come from one statement, so they show one
 * state of the database. The script only reads.
 *
 * @param {(sql: import('postgres').Sql) => string | Promise<string>} queryFor returns a `select`
 * @param {(row: any) => object} toRecord converts a row to a record of `latchkey users import`
 */
export async function writeUsers(queryFor, toRecord) {
  const url = process.env.OLD_DATABASE_URL;
  if (!url) throw new Error('Set OLD_DATABASE_URL to the URL of the database with the users.');
  const sql = postgres(url, { max: 1, connection: { TimeZone: 'UTC' }, onnotice: () => {} });
  try {
    const rows = sql.unsafe(await queryFor(sql)).cursor(500);
    const lines = async function* () {
      for await (const batch of rows) yield batch.map((row) => `${JSON.stringify(toRecord(row))}\n`).join('');
    };
    await pipeline(Readable.from(lines()), process.stdout);
  } finally {
    await sql.end();
  }
}

/** A time as the import expects it. PostgreSQL writes no offset for the type `timestamp`, so the script assumes UTC. */
export const timeOf = (text) =>
  text ? new Date(/(Z|[+-]\d\d(:?\d\d)?)$/.test(text) ? text : `${text}Z`).toISOString() : undefined;

/** Text of 1 to 64 characters without control characters, or undefined. */
export const nameOf = (text) =>
  [...`${text ?? ''}`.replace(/[\p{Cc}\s]+/gu, ' ').trim()].slice(0, 64).join('').trim() || undefined;

/** `internal,hybrid` as a list. */
export const listOf = (text) => `${text ?? ''}`.split(',').filter(Boolean);
