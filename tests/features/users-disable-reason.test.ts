import { createInMemoryDatabase } from 'latchkey/testing';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { TestAgent } from '../support/agent.ts';
import { expectNoLoggedErrors } from '../support/logged-errors.ts';
import { type Person, signUp, userIdOf } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { startServiceOn } from '../support/service-on.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { auditRowsAbout, auditRowsOf } from './support/audit-log.ts';
import { auditPath, enable, found, signUpAs, signUpMember, usersPath } from './support/authority.ts';

const reason = 'Left the company; ask Grace Hopper before you enable the account';

let service: TestService;
let superadmin: Person;
beforeAll(async () => {
  service = await startTestService();
  superadmin = await signUpAs(service, 'superadmin');
});
afterAll(() => service.close());
afterEach(() => expectNoLoggedErrors(service));

const operator = () => service.auth.asOperator('ops');
const pathOf = (person: Person) => `${usersPath}/${userIdOf(person)}`;
const disableFor = (browser: TestAgent, person: Person, given: unknown) =>
  browser.post(`${pathOf(person)}/disable`, { reason: given });
const shownReason = async (person: Person) =>
  (await superadmin.browser.get(pathOf(person))).body.user.disabledReason;

test('superadmins and operators can read the reason in the account and in the audit log', async () => {
  const person = await signUp(service);
  expect(await shownReason(person)).toBeNull();
  const answer = await disableFor(superadmin.browser, person, `  ${reason} `);
  expect(answer.status).toBe(200);
  expect(answer.body.user).not.toHaveProperty('disabledReason');
  expect(await shownReason(person)).toBe(reason);
  expect(await operator().users.get(person.username)).toMatchObject({ disabledReason: reason });
  expect(await auditRowsOf(service, answer)).toMatchObject([
    { event: 'user.disable', outcome: 'success', details: { statedReason: reason } },
  ]);
});

test('a user can be disabled without a reason and without a request body', async () => {
  const person = await signUp(service);
  const answer = await superadmin.browser.post(`${pathOf(person)}/disable`);
  expect(answer.status).toBe(200);
  expect(await shownReason(person)).toBeNull();
  expect(await auditRowsOf(service, answer)).toMatchObject([{ details: {} }]);
});

test('enabling the user removes the reason, and disabling the user later does not restore it', async () => {
  const person = await signUp(service);
  await operator().users.disable(person.username, { reason });
  expect(await shownReason(person)).toBe(reason);
  expect((await enable(superadmin.browser, person)).status).toBe(200);
  expect(await shownReason(person)).toBeNull();
  const [row] = await service.database.sql`
    select disabled_reason from latchkey.users where id = ${userIdOf(person)}`;
  expect(row).toEqual({ disabled_reason: null });
  await operator().users.disable(person.username);
  expect(await shownReason(person)).toBeNull();
});

test('disabling a user again does not change the reason', async () => {
  const person = await signUp(service);
  await operator().users.disable(person.username, { reason });
  expect((await disableFor(superadmin.browser, person, 'Another reason')).status).toBe(200);
  expect(await shownReason(person)).toBe(reason);
});

test('the reason of an active account is not shown, even if the row has one', async () => {
  const person = await signUp(service);
  await operator().users.disable(person.username, { reason });
  await service.database.sql`update latchkey.users set status = 'active' where id = ${userIdOf(person)}`;
  expect(await shownReason(person)).toBeNull();
});

test.each<[string, unknown]>([
  ['an empty text', ' '],
  ['more than 200 characters', 'x'.repeat(201)],
  ['a control character', 'line\nbreak'],
  ['null', null],
  ['a list', [reason]],
  ['half of a surrogate pair', '\ud800'],
])('%s is refused as a reason, and the user stays active', async (_, given) => {
  const person = await signUp(service);
  expectProblem(await disableFor(superadmin.browser, person, given), 'invalid_request', {
    errors: [{ path: 'reason', message: expect.any(String) }],
  });
  await expect(operator().users.disable(person.username, { reason: given as string })).rejects.toThrow(
    new TypeError('reason: expected 1 to 200 characters without control characters'),
  );
  expect((await operator().users.get(person.username)).user.status).toBe('active');
});

test('an admin cannot read the reason, neither in the account nor in the audit log', async () => {
  const admin = await signUpAs(service, 'admin');
  const member = await signUpMember(service, admin.browser, await found(admin.browser));
  expect((await disableFor(superadmin.browser, member, reason)).status).toBe(200);
  for (const include of ['', '?include=details']) {
    const { status, body } = await admin.browser.get(`${pathOf(member)}${include}`);
    expect([status, body.user.status, body.user.disabledReason]).toEqual([200, 'disabled', null]);
  }
  const { status, body } = await admin.browser.get(auditPath);
  expect(status).toBe(200);
  expect(JSON.stringify(body)).not.toContain('Grace');
  expect(await shownReason(member)).toBe(reason);
});

test('the user cannot read the reason', async () => {
  const person = await signUp(service);
  const disabled = await disableFor(superadmin.browser, person, reason);
  expect(disabled.status).toBe(200);
  const { options } = (await person.browser.post('/auth/passkey/login/start', {})).body;
  const credential = await person.authenticator.get(options);
  const refused = await person.browser.post('/auth/passkey/login/verify', { credential });
  expectProblem(refused, 'account_disabled');
  expect(JSON.stringify(refused.body)).not.toContain('Grace');
  const records: object[] = [];
  for await (const record of await operator().users.export({ username: person.username }))
    records.push(record);
  expect(JSON.stringify(records)).not.toContain('Grace');
  expect(records).toContainEqual(
    expect.objectContaining({ event: 'user.disable', details: { statedReason: null } }),
  );
});

test('deleting the user removes the reason, and erasing the user removes it from the audit log', async () => {
  const person = await signUp(service);
  await operator().users.disable(person.username, { reason });
  await operator().users.delete(person.username);
  const rows = await service.database.sql`
    select disabled_reason from latchkey.users where id = ${userIdOf(person)}`;
  expect(rows).toEqual([{ disabled_reason: null }]);
  const { pseudonym } = await operator().users.erase(userIdOf(person));
  const events = await auditRowsAbout(service, person, 'user.disable');
  expect(JSON.stringify(events)).not.toContain('Grace');
  expect(events).toMatchObject([{ details: { statedReason: pseudonym } }]);
});

test('a process of the earlier version that deletes a user removes the reason', async () => {
  const person = await signUp(service);
  await operator().users.disable(person.username, { reason });
  const rows = await service.database.sql`
    update latchkey.users set deleted_at = latchkey.clock() where id = ${userIdOf(person)}
    returning disabled_reason`;
  expect(rows).toEqual([{ disabled_reason: null }]);
});

test('erasing a user removes the reason from the row, even if the trigger was disabled', async () => {
  const person = await signUp(service);
  await operator().users.delete(person.username);
  const { sql } = service.database;
  const trigger = sql`users_disabled_reason_removed`;
  await sql`alter table latchkey.users disable trigger ${trigger}`;
  await sql`update latchkey.users set disabled_reason = ${reason} where id = ${userIdOf(person)}`;
  await operator().users.erase(userIdOf(person));
  await sql`alter table latchkey.users enable trigger ${trigger}`;
  expect(await sql`select disabled_reason from latchkey.users where id = ${userIdOf(person)}`).toEqual([
    { disabled_reason: null },
  ]);
});

test('the in-memory database keeps the reason', async () => {
  const inMemory = await startServiceOn(createInMemoryDatabase(), { migrate: true });
  const { username } = await signUp(inMemory);
  const { users } = inMemory.auth.asOperator('ops');
  await users.disable(username, { reason });
  expect(await users.get(username)).toMatchObject({ disabledReason: reason });
  await users.enable(username);
  expect(await users.get(username)).toMatchObject({ disabledReason: null });
  await inMemory.close();
});
