import { createTestDatabase } from 'latchkey/testing';
import postgres from 'postgres';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Playground } from './support/project.ts';

const before = process.cwd();
const playground = new Playground();
// `createTestDatabase` uses the folder .latchkey of the working directory.
beforeEach(async () => process.chdir(await playground.folder()));
afterEach(async () => {
  process.chdir(before);
  vi.unstubAllEnvs();
  await playground.clean();
});

test('without a URL, createTestDatabase starts the embedded PostgreSQL, and `close` stops it', async () => {
  vi.stubEnv('TEST_DATABASE_URL', '');
  vi.stubEnv('DATABASE_URL', '');
  const database = await createTestDatabase({ setup: 'create table notes (id integer)' });
  const sql = postgres(database.url, { max: 1 });
  expect([...(await sql`select * from notes`)]).toEqual([]);
  await sql.end();
  await database.close();
  const after = postgres(database.url, { max: 1, connect_timeout: 1 });
  await expect(after`select 1`).rejects.toThrow(/ECONNREFUSED/);
  await after.end();
});
