import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts';
import { secret } from '../../support/test-service.ts';
import { backendsWaiting } from '../../support/waiting.ts';
import { commandsOn, jsonOn, program, startCommand } from './support/command.ts';
import { credentials, password } from './support/superadmin.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** Returns all rows of all tables as text. */
async function everythingStored(): Promise<string> {
  const tables = await database.sql`select tablename from pg_tables where schemaname = 'latchkey'`;
  const texts = [];
  for (const { tablename } of tables) {
    const rows =
      await database.sql`select to_jsonb(t)::text as text from latchkey.${database.sql(tablename)} t`;
    texts.push(...rows.map(({ text }) => text));
  }
  return texts.join('\n');
}

test('the command line of a running bootstrap does not contain the password', async () => {
  const holding = await database.sql.reserve();
  await holding`begin`;
  await holding`lock table latchkey.audit_events in access exclusive mode`;
  const running = startCommand(['bootstrap', '--username', 'ada'], {
    env: { DATABASE_URL: database.url, ...credentials },
  });
  const seen = new Set<string>();
  await eventually(async () => {
    seen.add(readFileSync(`/proc/${running.process.pid}/cmdline`, 'utf8').replace(/\0+$/, ''));
    return (await backendsWaiting(holding)).length === 1;
  });
  const children = readFileSync(`/proc/${running.process.pid}/task/${running.process.pid}/children`, 'utf8');
  await holding`commit`;
  holding.release();
  const { exitCode, stdout, stderr } = await running.ended;
  expect(exitCode).toBe(0);
  const typed = [process.execPath, program, 'bootstrap', '--username', 'ada'].join('\0');
  // The command later replaces its arguments with the process title `latchkey`.
  expect([typed, 'latchkey']).toEqual(expect.arrayContaining([...seen]));
  expect(seen.size).toBeGreaterThan(0);
  expect(children).toBe('');
  expect(`${stdout}${stderr}`).not.toContain(password);
  const kept = await everythingStored();
  expect(kept).toContain('"ada"');
  expect(kept).not.toContain(password);
});

test('tokens of links are printed only once and never stored', async () => {
  const json = jsonOn(() => database);
  const recovery = await json('users create-recovery-link ada');
  const invitation = await json('invitations create');
  expect(recovery.url).toContain(recovery.token);
  const kept = await everythingStored();
  const shown = await commandsOn(() => database)('audit tail --limit 200 --json');
  const listed = await commandsOn(() => database)('invitations list --json');
  for (const token of [recovery.token, invitation.token]) {
    expect(token.length).toBeGreaterThan(40);
    for (const text of [kept, shown.stdout, listed.stdout]) expect(text).not.toContain(token);
  }
});

test('the token of a bootstrap link is never stored', async () => {
  const fresh = await createTestDatabase();
  const before = database;
  const { link } = await jsonOn(() => fresh)('bootstrap --passkey --username ada');
  database = fresh;
  const kept = await everythingStored();
  database = before;
  await fresh.drop();
  expect(kept).toContain('superadmin.bootstrap');
  expect(kept).not.toContain(link.token);
});

test('error messages contain no rejected passwords and no secrets of the configuration', async () => {
  const lines = [
    'bootstrap',
    'bootstrap --json',
    'bootstrap --again',
    'doctor',
    'doctor --json',
    'users get no-such-user',
  ];
  const { password: ofDatabase } = new URL(database.url);
  expect(ofDatabase).not.toBe('');
  for (const line of lines) {
    const { stdout, stderr } = await commandsOn(() => database)(line, credentials);
    for (const hidden of [password, secret, ofDatabase]) expect(`${stdout}${stderr}`).not.toContain(hidden);
  }
});
