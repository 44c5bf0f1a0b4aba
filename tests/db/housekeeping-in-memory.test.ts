import { createInMemoryDatabase } from 'latchkey/testing';
import { expect, test } from 'vitest';
import { raw, sql } from '../../src/db/sql.ts';
import { runtimeOf } from '../../src/service/auth-service.ts';
import { removeExpired } from '../../src/service/housekeeping.ts';
import { signUp } from '../support/person.ts';
import { startServiceOn } from '../support/service-on.ts';

test('in an in-memory database, housekeeping deletes expired rows, keeps the audit log and logs no warning', async () => {
  let now = Date.UTC(2026, 0, 1);
  const clock = () => new Date(now);
  const database = createInMemoryDatabase(clock);
  const service = await startServiceOn(database, { migrate: true, clock, auditRetentionDays: 1 });
  service.logged.length = 0;
  await signUp(service);
  const count = async (table: string) =>
    (await database.query(sql`select * from ${raw(`latchkey.${table}`)}`)).length;
  const counts = async () => [
    await count('sessions'),
    await count('spent_challenges'),
    await count('audit_events'),
  ];

  await removeExpired(runtimeOf(service.auth));
  expect(await counts()).toEqual([1, 1, 1]);
  now = Date.UTC(2027, 0, 1);
  await removeExpired(runtimeOf(service.auth));
  expect(await counts()).toEqual([0, 0, 1]);
  expect(service.logged).toEqual([]);
  await service.close();
});
