import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import type { Statement } from 'latchkey';
import postgres from 'postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Answer } from '../support/agent.ts';
import { newUsername, signUp } from '../support/person.ts';
import { type ServiceOn, startServiceOn } from '../support/service-on.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';

/** The values are so unusual that no other text contains them by chance. Only `common` is a usual word. */
const passwords = {
  first: 'Zinnober\u00e9 am Fjord 71',
  second: 'Quarzuhr \ud83e\udded im Moor',
  wrong: 'Xylophon ohne Klang 9',
  short: 'Wz7#kq',
  long: `Vierzehn Wochen Regen ${'und Wind '.repeat(12)}`,
  breached: 'Yucca im Treppenhaus 4',
  common: 'trustno1',
};

let database: TestDatabase;
let client: postgres.Sql;
let service: ServiceOn;
const sent: { text: string; values: unknown[] }[] = [];
const answers: Answer[] = [];
const appErrors: unknown[] = [];
let fails: ((text: string) => boolean) | null = null;

const stub = createServer((request, response) => {
  const digest = createHash('sha1').update(passwords.breached).digest('hex').toUpperCase();
  if (request.url?.includes(digest.slice(0, 5))) response.end(`${digest.slice(5)}:3`);
  else response.writeHead(500).end();
});

beforeAll(async () => {
  await new Promise<void>((done) => stub.listen(0, '127.0.0.1', done));
  database = await createTestDatabase();
  client = postgres(database.url, { onnotice: () => {} });
  const recording = {
    query: async <Row extends object>({ text, values }: Statement) => {
      sent.push({ text, values: [...values] });
      if (fails?.(text)) throw new Error('a slip');
      return [...(await client.unsafe<Row[]>(text, values as never[], { prepare: values.length > 0 }))];
    },
  };
  const { port } = stub.address() as AddressInfo;
  service = await startServiceOn(recording, {
    bcryptCost: 4,
    breachedPasswordsUrl: `http://127.0.0.1:${port}`,
  });
  service.app.on('error', (...args: unknown[]) => appErrors.push(args[0]));
  await usePasswords();
});
afterAll(async () => {
  await service.close();
  await client.end({ timeout: 1 });
  await database.drop();
  stub.close();
});

/** Uses each password in every way, including ways that fail. */
async function usePasswords(): Promise<void> {
  const person = await signUp(service);
  const { browser, username } = person;
  const keep = async (answer: Promise<Answer>) => answers.push(await answer);
  const add = (password: string) => keep(browser.post('/auth/password/add', { password }));
  const prove = (password: string) => keep(browser.post('/auth/password/stepup', { password }));
  const signIn = (name: string, password: string) =>
    keep(service.browser().post('/auth/password/login', { username: name, password }));
  await add(passwords.first);
  await add(passwords.second);
  // A user who has a passkey cannot step up with the password.
  await keep(browser.delete(`/auth/passkey/devices/${person.signedUp.body.passkey.id}`));
  for (const password of Object.values(passwords)) {
    await signIn(username, password);
    await signIn(newUsername(), password);
    await signIn('no good', password);
    await prove(password);
    if (password !== passwords.first) await add(password);
  }
  await keep(
    browser.request('POST', '/auth/password/add', JSON.stringify({ password: passwords.first, x: 1 }), {
      'Content-Type': 'application/json',
    }),
  );
  await keep(
    browser.request('POST', '/auth/password/add', `{"password":"${passwords.first}"`, {
      'Content-Type': 'application/json',
    }),
  );
  await keep(browser.post('/auth/password/add', { password: [passwords.first] }));
  await keep(browser.post('/auth/password/add', { password: `${passwords.first}\0` }));
  await keep(browser.post('/auth/password/add', { [passwords.first]: passwords.second }));
  // Uses the passwords again. This time, the last statement of each request fails with an unexpected error.
  await add(passwords.second);
  fails = (text) =>
    /update latchkey\.users|insert into latchkey\.sessions|update latchkey\.sessions/.test(text);
  await add(passwords.first);
  await signIn(username, passwords.second);
  await prove(passwords.second);
  fails = null;
  await keep(browser.delete('/auth/password/remove'));
}

/** Every form in which a response, a log or a row could contain a password. */
const traces = Object.values(passwords)
  .filter((password) => password !== passwords.common)
  .flatMap((password) => [
    password,
    password.slice(0, 8),
    password.normalize('NFD').slice(0, 9),
    JSON.stringify(password).slice(1, 9),
    encodeURIComponent(password).slice(0, 9),
    Buffer.from(password).toString('base64').slice(0, 9),
    Buffer.from(password).toString('base64url').slice(0, 9),
    Buffer.from(password).toString('hex').slice(0, 14),
    createHash('sha1').update(password).digest('hex').slice(0, 12),
    createHash('sha256').update(password).digest('hex').slice(0, 12),
  ]);
const short = passwords.short;

function expectNoTrace(text: string): void {
  const lowered = text.toLowerCase();
  expect(traces.filter((trace) => lowered.includes(trace.toLowerCase()))).toEqual([]);
  expect(lowered).not.toContain(short.toLowerCase());
}

const asText = (value: unknown) =>
  inspect(value, { depth: 20, maxArrayLength: null, maxStringLength: null, showHidden: true });

test('the requests of this file get every kind of response', () => {
  const seen = new Set(answers.map(({ status, body }) => `${status} ${body?.reason ?? body?.code ?? ''}`));
  expect([...seen].sort()).toEqual([
    '200 ',
    '201 ',
    '204 ',
    '400 breached',
    '400 common',
    '400 invalid_request',
    '400 too_long',
    '400 too_short',
    '401 authentication_failed',
    '409 last_credential',
    '500 internal_error',
  ]);
  expect(sent.length).toBeGreaterThan(50);
});

test('no response contains any part of a password or a digest', () => {
  // An error contains the name of an unknown property, even if the client used a password as this name.
  const responses = answers.map(({ status, headers, body }) => {
    const errors = body?.errors?.filter(({ path }: { path: string }) => path !== passwords.first);
    return { status, headers: [...headers], body: errors ? { ...body, errors } : body };
  });
  expectNoTrace(asText(responses));
  expect(asText(responses)).not.toMatch(/\$2[aby]\$/);
});

test('no log line contains any part of a password or a digest', () => {
  expect(service.logged.filter(({ level }) => level === 'warn').length).toBeGreaterThan(0);
  expectNoTrace(asText(service.logged));
  expect(asText(service.logged)).not.toMatch(/\$2[aby]\$/);
});

test('no error that Koa emits contains any part of a password', () => {
  expect(appErrors.length).toBe(3);
  expectNoTrace(asText(appErrors));
});

test('no table contains any part of a password, and only users.password_hash contains digests', async () => {
  const tables = await database.sql<{ name: string }[]>`
    select table_name as name from information_schema.tables where table_schema = 'latchkey'`;
  expect(tables.length).toBeGreaterThan(5);
  for (const { name } of tables) {
    const rows = await database.sql.unsafe<{ row: string }[]>(
      `select to_jsonb(t)${name === 'users' ? " - 'password_hash'" : ''}::text as row from latchkey.${name} as t`,
    );
    expectNoTrace(asText(rows));
    expect(asText(rows)).not.toMatch(/\$2[aby]\$/);
  }
});

test('no statement contains any part of a password in its text or values', () => {
  expectNoTrace(asText(sent));
  expect(asText(sent.map(({ text }) => text))).not.toMatch(/\$2[aby]\$/);
});

test('no digest is written to the audit log', () => {
  const digest = /\$2[aby]\$/;
  const withDigest = sent.filter(({ values }) => values.some((value) => digest.test(`${value}`)));
  expect(withDigest.length).toBeGreaterThan(0);
  const { length } = sent.filter(({ text, values }) => {
    const entry = text.indexOf('insert into latchkey.audit_events');
    const first = Number(/\$(\d+)/.exec(text.slice(entry))?.[1]);
    return entry >= 0 && values.slice(first - 1).some((value) => digest.test(`${value}`));
  });
  expect(length).toBe(0);
});
