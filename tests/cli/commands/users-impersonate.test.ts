import { afterAll, beforeAll, expect, test } from 'vitest';
import { signUp, userIdOf } from '../../support/person.ts';
import { type ServiceOn, startServiceOn } from '../../support/service-on.ts';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts';
import { commandsOn, jsonOn } from './support/command.ts';
import { eventsOf, operator } from './support/superadmin.ts';

let database: TestDatabase;
let service: ServiceOn;
const latchkey = commandsOn(() => database);
const json = jsonOn(() => database);
const on = { IMPERSONATION: 'on' };
const command = 'users impersonate helped --reason Ticket-4711';

beforeAll(async () => {
  database = await createTestDatabase();
  service = await startServiceOn(database.url, { impersonation: true });
  await signUp(service, { username: 'helped' });
});
afterAll(async () => {
  await service.close();
  await database.drop();
});

test('`latchkey users impersonate` prints a single-use link, and records the operator and the user', async () => {
  const { exitCode, stdout, stderr } = await latchkey(command, on);
  expect([exitCode, stderr]).toEqual([0, expect.stringContaining('shown only once')]);
  const [, token] = /^Link +http:\/\/localhost:3000\/impersonate#token=(\S+)$/m.exec(stdout) ?? [];
  expect(stdout).toMatch(/^Expires +\d{4}-\d\d-\d\d \d\d:\d\d UTC$/m);
  const browser = service.browser();
  expect((await browser.post('/auth/impersonation', { token })).status).toBe(200);
  expect((await service.browser().post('/auth/impersonation', { token })).status).toBe(401);
  const [created] = await eventsOf(database, 'impersonation.create_link');
  expect(created).toMatchObject({
    actor_name: operator,
    target_name: 'helped',
    details: { statedReason: 'Ticket-4711' },
  });
  expect((await latchkey('users get helped', on)).stdout).toMatch(
    new RegExp(`^\\S+ +full +impersonation by ${operator} `, 'm'),
  );
  expect((await browser.delete('/auth/sessions')).body.code).toBe('impersonating');
  expect((await latchkey('audit tail --event session.', on)).stdout).toContain(
    `helped (impersonated by ${operator})`,
  );
});

test('`latchkey audit tail --impersonator` prints the events of a superadmin as other users', async () => {
  const superadmin = await signUp(service, { username: 'helper' });
  await database.sql`update latchkey.users set role = 'superadmin' where id = ${userIdOf(superadmin)}`;
  const helped = (await json('users get helped')).user;
  const { browser } = superadmin;
  const path = `/auth/admin/users/${helped.id}/impersonation`;
  expect((await browser.post(path, { reason: 'Ticket 1' })).status).toBe(201);
  await browser.delete('/auth/session');
  const { events } = await json('audit tail --impersonator helper');
  expect(events.map(({ event }: { event: string }) => event)).toEqual(['impersonation.end']);
});

test('`latchkey users impersonate` without IMPERSONATION=on says how to turn it on', async () => {
  const { exitCode, stdout, stderr } = await latchkey(command);
  expect([exitCode, stdout]).toEqual([3, '']);
  expect(stderr).toContain('To switch it on, set IMPERSONATION=on.');
});

test.each(['', '--reason=', `--reason=${'a'.repeat(201)}`])(
  '`latchkey users impersonate` rejects the flags "%s"',
  async (flags) => {
    const { exitCode, stderr } = await latchkey(`users impersonate helped ${flags}`.trim(), on);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('--reason');
  },
);
