import type { Database } from 'latchkey';
import postgres from 'postgres';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { runtimeOf } from '../../src/service/auth-service.ts';
import { recordBursts } from '../../src/service/housekeeping.ts';
import { refusalRows, sendRefusedSignIns, totalOf } from '../features/support/refused-requests.ts';
import { rounds } from '../support/rounds.ts';
import { type ServiceOn, startServiceOn } from '../support/service-on.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';

/** What happens to a statement that records a burst: it runs, fails before it runs, or its response is lost. */
let fault: 'none' | 'before' | 'after' = 'none';
let database: TestDatabase;
let client: postgres.Sql;
let service: ServiceOn;
beforeAll(async () => {
  database = await createTestDatabase();
  client = postgres(database.url, { onnotice: () => {} });
});
afterAll(async () => {
  await client.end();
  await database.drop();
});
afterEach(async () => {
  fault = 'none';
  await service.close();
});

const brokenConnection = () =>
  Object.assign(new Error('write CONNECTION_CLOSED'), { code: 'CONNECTION_CLOSED' });
const faulty: Database = {
  async query<Row extends object>({ text, values }: { text: string; values: unknown[] }) {
    const isBurst = text.includes('insert into latchkey.audit_events') && text.includes('where not exists');
    if (isBurst && fault === 'before') throw brokenConnection();
    const rows = await client.unsafe<Row[]>(text, values as never[], { prepare: values.length > 0 });
    if (isBurst && fault === 'after') throw brokenConnection();
    return [...rows];
  },
};

/** Starts a process with the default threshold. `total` returns the number of recorded refusals since this call. */
async function start() {
  const before = totalOf(await refusalRows({ database }));
  service = await startServiceOn(faulty, { auditBurstThreshold: undefined });
  return {
    total: async () => totalOf(await refusalRows({ database })) - before,
    record: () => recordBursts(runtimeOf(service.auth)),
  };
}

test.each(['before', 'after'] as const)(
  'a burst is recorded exactly once if the connection breaks %s the statement runs',
  async (when) => {
    const { total, record } = await start();
    await sendRefusedSignIns(service, 50);
    fault = when;
    await record();
    await sendRefusedSignIns(service, 30);
    expect(service.logged).toMatchObject([
      { level: 'warn', message: expect.stringContaining('cannot record'), fields: { refusals: 40 } },
    ]);
    fault = 'none';
    await record();
    expect(await total()).toBe(80);
  },
);

test('bursts are counted exactly while several rounds record them at the same time', async () => {
  for (let round = 0; round < rounds; round += 1) {
    const { total, record } = await start();
    const recording = Array.from({ length: 5 }, async () => {
      for (let times = 0; times < 10; times += 1) await record();
    });
    await Promise.all([sendRefusedSignIns(service, 500), ...recording]);
    await record();
    expect(await total()).toBe(500);
    expect(service.logged).toEqual([]);
    if (round < rounds - 1) await service.close();
  }
});

test('`close` records every counted refusal, and later refusals are recorded one by one', async () => {
  const { total } = await start();
  await sendRefusedSignIns(service, 100);
  expect(await total()).toBe(10);
  await service.auth.close();
  expect(await total()).toBe(100);
  const rows = (await refusalRows({ database })).length;
  await sendRefusedSignIns(service, 20);
  expect(await total()).toBe(120);
  expect(await refusalRows({ database })).toHaveLength(rows + 20);
});

test('`close` without a database logs how many refusals are lost', async () => {
  await start();
  await sendRefusedSignIns(service, 100);
  fault = 'before';
  await service.auth.close();
  expect(service.logged).toMatchObject([{ level: 'warn', fields: { refusals: 90 } }]);
});
