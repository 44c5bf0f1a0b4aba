import { readFileSync } from 'node:fs';
import { createTestAuthService, createTestDatabase, type TestDatabase } from 'latchkey/testing';
import postgres, { type Sql } from 'postgres';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createNotesApp, noteCapabilities } from './notes.ts';

type Note = { id: string; text: string };

const schema = readFileSync(new URL('notes.sql', import.meta.url), 'utf8');
const start = () =>
  createTestAuthService({
    capabilities: noteCapabilities,
    impersonation: true,
    database: database.url,
    app: (auth) => createNotesApp(auth, sql),
  });

let database: TestDatabase;
let sql: Sql;
let kit: Awaited<ReturnType<typeof start>>;
beforeAll(async () => {
  database = await createTestDatabase({ setup: schema });
  sql = postgres(database.url, { onnotice: () => {} });
  kit = await start();
});
afterEach(() => database.reset());
afterAll(async () => {
  await kit.close();
  await sql.end();
  await database.close();
});

test('users see only their own notes', async () => {
  const [ada, bob] = [await kit.signedInAs('user'), await kit.signedInAs('user')];
  const { status, body } = await ada.post<Note>('/notes', { text: 'Call Charles.' });
  expect(status).toBe(201);
  expect((await ada.get('/notes')).body).toEqual([{ id: body.id, text: 'Call Charles.' }]);
  expect((await bob.get('/notes')).body).toEqual([]);
});

test('only the owner can delete a note', async () => {
  const [ada, bob] = [await kit.signedInAs('user'), await kit.signedInAs('admin')];
  const { body } = await ada.post<Note>('/notes', { text: 'Call Charles.' });
  expect((await bob.delete(`/notes/${body.id}`)).status).toBe(404);
  expect((await ada.delete(`/notes/${body.id}`)).status).toBe(204);
  expect((await ada.delete(`/notes/${body.id}`)).status).toBe(404);
});

test('a superadmin who uses the account of a user sees the notes, but cannot change them', async () => {
  const [ada, root] = [await kit.signedInAs('user'), await kit.signedInAs('superadmin')];
  const { body } = await ada.post<Note>('/notes', { text: 'Call Charles.' });
  await root.post(`/auth/admin/users/${ada.user.id}/impersonation`, { reason: 'Ticket 4711' });
  expect((await root.get('/notes')).body).toEqual([{ id: body.id, text: 'Call Charles.' }]);
  expect((await root.post('/notes', { text: 'Forged.' })).status).toBe(403);
  expect((await root.delete(`/notes/${body.id}`)).status).toBe(403);
  expect(await sql`select text from notes`).toEqual([{ text: 'Call Charles.' }]);
});

test('each test starts with empty tables', async () => {
  expect(await sql`select id from notes`).toHaveLength(0);
  // After a reset, another user can take the username.
  for (let count = 0; count < 2; count += 1) {
    await kit.signedInAs('user', { username: 'ada' });
    await database.reset();
  }
});

test('deleting an account deletes the notes of the user', async () => {
  const ada = await kit.signedInAs('user');
  await ada.post('/notes', { text: 'Call Charles.' });
  expect((await ada.delete('/auth/account')).status).toBe(204);
  expect(await sql`select id from notes`).toHaveLength(0);
});

test('deleting a user as a superadmin deletes the notes of the user', async () => {
  const [ada, root] = [await kit.signedInAs('user'), await kit.signedInAs('superadmin')];
  await ada.post('/notes', { text: 'Call Charles.' });
  expect((await root.delete(`/auth/admin/users/${ada.user.id}`)).status).toBe(204);
  expect(await sql`select id from notes`).toHaveLength(0);
});
