import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Person, signUp, userIdOf } from '../../support/person.ts';
import { type ServiceOn, startServiceOn } from '../../support/service-on.ts';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts';
import { commandsOn, jsonOn } from './support/command.ts';

// PostgreSQL stores every character except NUL.
const hostile = 'a\u202eb\u2066c\u200fd\u061ce\u200bf\u001b[2Jg\u009bh\ni\rj\u2028k\ufeff';
const seen = 'a\\u202eb\\u2066c\\u200fd\\u061ce\\u200bf\\u001b[2Jg\\u009bh\\u000ai\\u000dj\\u2028k\\ufeff';

let database: TestDatabase;
let service: ServiceOn;
let person: Person;
const latchkey = commandsOn(() => database);
const json = jsonOn(() => database);
beforeAll(async () => {
  database = await createTestDatabase();
  service = await startServiceOn(database.url);
  person = await signUp(service, { username: 'hostile' });
  const id = userIdOf(person);
  const { sql } = database;
  await sql`update latchkey.users set display_name = ${hostile}, role = 'superadmin' where id = ${id}`;
  await sql`update latchkey.passkeys set label = ${hostile} where user_id = ${id}`;
  await sql`update latchkey.sessions set user_agent = ${hostile} where user_id = ${id}`;
  // The audit log is append-only, so this statement inserts a new event instead of changing an event.
  await sql`
    insert into latchkey.audit_events (id, at, event, outcome, actor_type, actor_name, target_type, target_name, details)
    values (gen_random_uuid(), now(), 'passkey.login', 'failure', 'anonymous', ${hostile}, 'organization', ${hostile},
      ${sql.json({ label: hostile })})`;
});
afterAll(async () => {
  await service.close();
  await database.drop();
});

describe('a command that prints names and labels', () => {
  test.each<[command: string, lines: number]>([
    ['users list', 2],
    ['users list --query a\u202eb', 2],
    ['users get hostile', 19],
    ['audit tail', 2],
  ])('(`latchkey %s`) escapes control characters and prints no additional lines', async (line, lines) => {
    const { exitCode, stdout } = await latchkey(line);
    expect(exitCode).toBe(0);
    expect(stdout).toContain(seen);
    const printed = stdout.trimEnd().split('\n');
    expect(printed).toHaveLength(lines);
    for (const row of printed) expect(row).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
  });

  test.each(['users list --json', 'users get hostile --json', 'audit tail --json', 'audit export'])(
    '(`latchkey %s`) escapes control characters in JSON',
    async (line) => {
      const { exitCode, stdout } = await latchkey(line);
      expect(exitCode).toBe(0);
      expect(stdout.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
      expect(stdout).toContain('a\\u202eb');
    },
  );

  test('prints JSON that contains the exact display name', async () => {
    const { users } = await json('users list');
    expect(users[0].displayName).toBe(hostile);
  });

  test('escapes control characters in error messages', async () => {
    for (const line of [
      'users lis\u202et',
      'users list --role \u202eadmin',
      'users change-role hostile \u001b[2Jadmin',
    ]) {
      const { exitCode, stderr } = await latchkey(line);
      expect(exitCode).not.toBe(0);
      expect(stderr.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    }
  });
});
