import { afterAll, beforeAll, expect, test } from 'vitest';
import { logIn, signUp } from '../support/person.ts';
import { type ServiceOn, startServiceOn } from '../support/service-on.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';

const role = `service_${crypto.randomUUID().replaceAll('-', '')}`;

let database: TestDatabase;
let service: ServiceOn;
beforeAll(async () => {
  database = await createTestDatabase();
  // As the README's "Deployment" says it, and the clock that only tests have.
  await database.sql.unsafe(`
    create role ${role} login password 'of its own';
    grant usage on schema latchkey to ${role};
    grant select, insert, update, delete on all tables in schema latchkey to ${role};
    grant select on public.test_clock to ${role};`);
  const url = new URL(database.url);
  url.username = role;
  url.password = 'of its own';
  service = await startServiceOn(url.href);
});
afterAll(async () => {
  await service.close();
  await database.sql.unsafe(`drop owned by ${role}; drop role ${role}`);
  await database.drop();
});

test('a database role that may only read and write in the schema is enough to serve', async () => {
  expect(await service.auth.isReady()).toBe(true);
  const person = await signUp(service);
  expect((await logIn(service.browser(), person.authenticator)).status).toBe(200);
  expect((await person.browser.delete('/auth/session')).status).toBe(204);
  await service.auth.asOperator('operator').bootstrap({ username: 'ada' });
  expect(service.logged.filter(({ level }) => level === 'error')).toEqual([]);
});
