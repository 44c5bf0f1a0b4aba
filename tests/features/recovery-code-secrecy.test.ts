import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Answer } from '../support/agent.ts';
import { statuses } from '../support/many-requests.ts';
import { addPasskey, signUp, userIdOf } from '../support/person.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { codesPath, generateCodes, revokeCodes, useCode } from './support/recovery.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const plain = (code: string) => code.replaceAll('-', '');

async function everyRow(): Promise<string> {
  const { sql } = service.database;
  const tables = await sql<{ name: string }[]>`
    select table_name as name from information_schema.tables where table_schema = 'latchkey'`;
  const texts: string[] = [];
  for (const { name } of tables) {
    const rows = await sql<
      { text: string }[]
    >`select entry::text as text from ${sql(`latchkey.${name}`)} as entry`;
    texts.push(...rows.map(({ text }) => text));
  }
  return texts.join('\n');
}

test('each code is stored in its own row as a keyed digest, not as a plain hash', async () => {
  const person = await signUp(service);
  const codes = await generateCodes(person.browser);
  const rows = await service.database.sql<{ code_hash: string }[]>`
    select code_hash from latchkey.recovery_codes where user_id = ${userIdOf(person)}`;
  const hashes = new Set(rows.map(({ code_hash }) => code_hash));
  expect(hashes.size).toBe(10);
  for (const hash of hashes) {
    expect(hash).toMatch(/^[\w-]{43}$/);
    expect(Buffer.from(hash, 'base64url')).toHaveLength(32);
  }
  for (const code of codes) {
    for (const text of [code, plain(code), code.toLowerCase(), plain(code).toLowerCase()]) {
      for (const algorithm of ['sha256', 'sha3-256', 'blake2s256']) {
        expect(hashes).not.toContain(createHash(algorithm).update(text).digest('base64url'));
      }
    }
  }
});

test('no code or part of a code appears in a later response, the audit log, a log line, a statement or a table', async () => {
  const begun = { statements: service.statements.length };
  const person = await signUp(service);
  const other = await signUp(service);
  const codes = await generateCodes(person.browser);
  const [first = '', second = ''] = codes;

  const answers: Answer[] = [];
  const record = async (answer: Promise<Answer>) => void answers.push(await answer);
  const browser = service.browser();
  const use = (username: string, code: string) => record(useCode(service.browser(), { username }, code));
  await record(useCode(browser, person, first));
  await use(person.username, first);
  await use(other.username, second);
  await use('unknown-user', second);
  await use(person.username, `${second}2`);
  await record(browser.get('/auth/session'));
  await record(addPasskey(browser));
  for (const path of [codesPath, '/auth/session', '/auth/sessions', '/auth/passkey/devices']) {
    await record(browser.get(path));
  }
  const emitted: unknown[] = [];
  const listener = (error: unknown) => emitted.push(error);
  service.app.on('error', listener);
  const { sql } = service.database;
  await sql.unsafe('alter table latchkey.recovery_codes rename to away');
  await use(person.username, second);
  await sql.unsafe('alter table latchkey.away rename to recovery_codes');
  service.app.off('error', listener);
  await record(revokeCodes(person.browser));

  expect(statuses(answers)).toEqual([...[200, 401, 401, 401, 401, 200, 201, 200, 200, 200, 200, 500, 401]]);
  expect(emitted).toHaveLength(1);
  const recorded = JSON.stringify([
    answers.map(({ body, headers }) => [body, [...headers]]),
    service.logged,
    await service.auditRows(),
    emitted.map((error) =>
      Object.getOwnPropertyNames(error).map((name) => Reflect.get(error as object, name)),
    ),
  ]);
  const statements = service.statements.slice(begun.statements);
  expect(statements.length).toBeGreaterThan(20);
  const places = [recorded, statements.join('\n'), await everyRow()].map((text) => text.toUpperCase());
  for (const code of codes) {
    const groups = code.split('-');
    // Two of seven groups would reveal over a quarter of the code. A single group can occur by chance.
    const pairs = groups.slice(1).flatMap((group, at) => [`${groups[at]}-${group}`, `${groups[at]}${group}`]);
    for (const part of [code, plain(code), ...pairs]) {
      for (const place of places) expect(place.includes(part)).toBe(false);
    }
  }
});
