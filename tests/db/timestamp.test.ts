import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../../src/core/database.ts';
import { connectPostgres } from '../../src/db/own-pool.ts';
import { sql } from '../../src/db/sql.ts';
import { milliseconds, rfc3339, type Timestamp } from '../../src/db/timestamp.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  // The service must override this setting on its own connections.
  const name = database.sql.options.database;
  await database.sql.unsafe(`alter database "${name}" set timezone = 'Asia/Kolkata'`);
  await database.sql.unsafe(`alter database "${name}" set datestyle = 'German'`);
  db = connectPostgres(database.url);
});
afterAll(async () => {
  await db.close?.();
  await database.drop();
});

test.each([
  ['2026-11-21T14:53:41Z', '2026-11-21T14:53:41.000Z'],
  ['2026-11-21T14:53:41.1Z', '2026-11-21T14:53:41.100Z'],
  ['2026-11-21T14:53:41.12Z', '2026-11-21T14:53:41.120Z'],
  ['2026-11-21T14:53:41.123Z', '2026-11-21T14:53:41.123Z'],
  ['2026-11-21T14:53:41.123999Z', '2026-11-21T14:53:41.123Z'],
  ['2026-11-21T14:53:41.000009Z', '2026-11-21T14:53:41.000Z'],
  ['2026-11-21T14:53:41.02+05:30', '2026-11-21T09:23:41.020Z'],
  ['1969-12-31T23:59:59.999999Z', '1969-12-31T23:59:59.999Z'],
  ['0099-01-01T00:00:00Z', '0099-01-01T00:00:00.000Z'],
  ['9999-12-31T23:59:59.999999Z', '9999-12-31T23:59:59.999Z'],
])('the time %s is read as %s', async (written, expected) => {
  const [row] = await db.query<{ at: Timestamp }>(sql`select ${written}::timestamptz as at`);
  expect(rfc3339(row?.at ?? '')).toBe(expected);
  expect(milliseconds(row?.at ?? '')).toBe(Date.parse(expected));
});

test('a Date and a text in another time zone are formatted as the same UTC time', () => {
  const expected = '2026-11-21T14:53:41.120Z';
  expect(rfc3339(new Date(expected))).toBe(expected);
  expect(rfc3339('2026-11-21 16:53:41.12+02')).toBe(expected);
});
