import { sql } from 'latchkey';
import { createInMemoryDatabase } from 'latchkey/testing';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { expectNoLoggedErrors } from '../support/logged-errors.ts';
import { newUsername, type Person, signUp, userIdOf } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { startServiceOn } from '../support/service-on.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { untilWaiting } from '../support/waiting.ts';
import { deleteAccount, deleteUser, found, organizationsPath, signUpAs } from './support/authority.ts';
import { isSignedIn } from './support/current-session.ts';
import { erase } from './support/erasure.ts';
import { signUpWith } from './support/sign-ups.ts';

const tables = `
  create table public.notes (
    id integer primary key generated always as identity,
    owner_id uuid not null references latchkey.user_ids (id) on delete cascade
  );
  create table public.edits (editor_id uuid references latchkey.user_ids (id) on delete set null, made_by text);
  create table public.invoices (payer_id uuid not null references latchkey.user_ids (id) on delete restrict);
  create table public.payments (payer_id uuid not null references latchkey.user_ids (id));
  create table public.reports (
    organization_id uuid not null references latchkey.organizations (id) on delete cascade
  );
  create table public.contracts (organization_id uuid not null references latchkey.organizations (id));`;

let service: TestService;
let superadmin: Person;
beforeAll(async () => {
  service = await startTestService();
  await service.database.sql.unsafe(tables);
  superadmin = await signUpAs(service, 'superadmin');
});
afterAll(() => service.close());
afterEach(() => expectNoLoggedErrors(service));

const rowsIn = async (table: string, column: string, id: string) =>
  (await service.database.sql.unsafe(`select from public.${table} where ${column} = '${id}'`)).length;
const put = (table: string, column: string, id: string) =>
  service.database.sql.unsafe(`insert into public.${table} (${column}) values ('${id}')`);
/** Returns the users without an id in `user_ids`, and the ids without a user. */
const differingIds = async () => {
  const rows = await service.database.sql`
    select users.id, user_ids.id as kept_id
    from (select id from latchkey.users where deleted_at is null) as users
    full join latchkey.user_ids on user_ids.id = users.id
    where users.id is null or user_ids.id is null`;
  return [...rows];
};
const refusals = async (target: string) =>
  (await service.auditRows()).filter(
    ({ target_id: id, details }) => id === target && details.reason === 'still_referenced',
  );

const deletions: [string, (person: Person) => Promise<unknown>][] = [
  ['the user deletes the account', ({ browser }) => deleteAccount(browser)],
  ['a superadmin deletes the user', (person) => deleteUser(superadmin.browser, person)],
  ['an operator deletes the user', ({ username }) => service.auth.asOperator('ops').users.delete(username)],
  ['an operator erases the user', (person) => erase(service, userIdOf(person))],
];

describe.each(deletions)('if %s', (_, remove) => {
  test('`on delete cascade` deletes rows that reference the user, and `on delete set null` keeps them', async () => {
    const person = await signUp(service);
    const other = await signUp(service);
    const [id, otherId] = [userIdOf(person), userIdOf(other)];
    for (const owner of [id, otherId]) await put('notes', 'owner_id', owner);
    await service.database.sql`insert into public.edits values (${id}, ${person.username})`;
    await remove(person);
    expect(await rowsIn('notes', 'owner_id', id)).toBe(0);
    expect(await rowsIn('notes', 'owner_id', otherId)).toBe(1);
    const edits = await service.database.sql`
      select editor_id from public.edits where made_by = ${person.username}`;
    expect([...edits]).toEqual([{ editor_id: null }]);
    expect(await differingIds()).toEqual([]);
  });

  test.each(['invoices', 'payments'])(
    'a row in %s prevents the deletion, which then changes no row',
    async (table) => {
      const person = await signUp(service);
      const id = userIdOf(person);
      await put(table, 'payer_id', id);
      await put('notes', 'owner_id', id);
      const outcome = await Promise.resolve(remove(person)).catch((error: unknown) => error);
      expect(outcome).toMatchObject(
        outcome instanceof Error ? { code: 'still_referenced', status: 409 } : { status: 409 },
      );
      expect(await refusals(id)).toHaveLength(1);
      expect(await isSignedIn(person.browser)).toBe(true);
      expect(await rowsIn('notes', 'owner_id', id)).toBe(1);
      await service.database.sql.unsafe(`delete from public.${table}`);
      await remove(person);
      expect(await rowsIn('notes', 'owner_id', id)).toBe(0);
    },
  );
});

test('users get 409 `still_referenced` without the name of the table, and operators get the name', async () => {
  const person = await signUp(service);
  await put('invoices', 'payer_id', userIdOf(person));
  expectProblem(await deleteAccount(person.browser), 'still_referenced');
  await expect(service.auth.asOperator('ops').users.delete(person.username)).rejects.toMatchObject({
    code: 'still_referenced',
    message: 'Rows of the table public.invoices still reference it (foreign key invoices_payer_id_fkey).',
  });
  await service.database.sql`delete from public.invoices`;
});

test('the statement of `signUp.after` can insert a row that references the new user', async () => {
  const after = ({ user }: { user: { id: string } }) =>
    sql`insert into public.notes (owner_id) values (${user.id})`;
  const storing = await startServiceOn(service.database.url, { signUp: { after } });
  const person = await signUp(storing);
  expect(await rowsIn('notes', 'owner_id', userIdOf(person))).toBe(1);
  await storing.close();
});

test('a deletion waits for a transaction that references the user, and then deletes its row', async () => {
  const person = await signUp(service);
  const connection = await service.database.sql.reserve();
  await connection`begin`;
  await connection`insert into public.notes (owner_id) values (${userIdOf(person)})`;
  const deleting = deleteAccount(person.browser);
  await untilWaiting(service.database.sql);
  await connection`commit`;
  connection.release();
  expect((await deleting).status).toBe(204);
  expect(await rowsIn('notes', 'owner_id', userIdOf(person))).toBe(0);
});

test('after a deletion, no row can reference the user', async () => {
  const person = await signUp(service);
  await deleteAccount(person.browser);
  await expect(put('notes', 'owner_id', userIdOf(person))).rejects.toMatchObject({ code: '23503' });
});

test('a bootstrap and a sign-up with an invitation also insert the id of the user', async () => {
  const bootstrapped = await startTestService();
  const boss = newUsername();
  await bootstrapped.auth.asOperator('ops').bootstrap({ username: boss, password: 'not in any list 4711' });
  const { token } = await bootstrapped.auth.asOperator('ops').invitations.create({ role: 'admin' });
  const { username } = await signUpWith(bootstrapped, { invitation: token });
  const names = await bootstrapped.database.sql<{ username: string }[]>`
    select users.username from latchkey.user_ids join latchkey.users on users.id = user_ids.id`;
  expect(names.map((row) => row.username).sort()).toEqual([boss, username].sort());
  await bootstrapped.close();
});

test('an organization is deleted with its rows, unless a row without `on delete` references it', async () => {
  const { id } = await found(superadmin.browser);
  await put('reports', 'organization_id', id);
  await put('contracts', 'organization_id', id);
  const remove = () => superadmin.browser.delete(`${organizationsPath}/${id}`);
  expectProblem(await remove(), 'still_referenced');
  expect(await refusals(id)).toHaveLength(1);
  expect(await rowsIn('reports', 'organization_id', id)).toBe(1);
  await service.database.sql`delete from public.contracts`;
  expect((await remove()).status).toBe(204);
  expect(await rowsIn('reports', 'organization_id', id)).toBe(0);
});

test('a trigger of the application runs during the deletion, with the search path of the service', async () => {
  await service.database.sql.unsafe(`
    create table public.deleted_notes (id integer);
    create function public.keep_note() returns trigger language plpgsql
      as 'begin insert into deleted_notes values (old.id); return old; end';
    create trigger keep_note after delete on public.notes for each row execute function public.keep_note();`);
  const person = await signUp(service);
  await put('notes', 'owner_id', userIdOf(person));
  expect((await deleteAccount(person.browser)).status).toBe(204);
  expect(await service.database.sql`select from public.deleted_notes`).toHaveLength(1);
  await service.database.sql.unsafe('drop trigger keep_note on public.notes');
});

test('the in-memory database also deletes rows that reference a deleted user', async () => {
  const database = createInMemoryDatabase();
  const query = (text: string) => database.query({ text, values: [], auditEvents: [], invalidates: [] });
  const inMemory = await startServiceOn(database, { migrate: true });
  await query('create table notes (owner_id uuid references latchkey.user_ids (id) on delete cascade)');
  const [ada, ben] = [await signUp(inMemory), await signUp(inMemory)];
  for (const person of [ada, ben]) await query(`insert into notes (owner_id) values ('${userIdOf(person)}')`);
  await inMemory.auth.asOperator('ops').users.delete(ada.username);
  expect(await query('select owner_id from notes')).toEqual([{ owner_id: userIdOf(ben) }]);
  await inMemory.close();
});
