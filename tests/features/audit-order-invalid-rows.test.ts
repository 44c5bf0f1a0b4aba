import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sequence } from '../support/sequencing.ts';
import { startTestService, type TestService } from '../support/test-service.ts';

let service: TestService;
let sql: TestService['database']['sql'];
beforeAll(async () => {
  service = await startTestService();
  sql = service.database.sql;
});
afterAll(() => service?.close());
beforeEach(() =>
  sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    for (const table of ['audit_events', 'audit_entries', 'audit_tiles', 'audit_checkpoints'])
      await tx.unsafe(`delete from latchkey.${table}`);
    await tx`update latchkey.audit_log set size = 0, origin = null, note = null, seen = null`;
  }),
);

/** Inserts a row that the package cannot write, and an event after it. Returns the problems of a verification. */
async function problemsAfter(column: string, value: string) {
  const id = randomUUID();
  const columns = { at: 'latchkey.clock()', details: "'{}'", [column]: value };
  await sql.unsafe(`
    insert into latchkey.audit_events (id, event, outcome, actor_type, ${Object.keys(columns)})
    values ('${id}', 'made.up', 'success', 'system', ${Object.values(columns)})`);
  await service.auth.asOperator('ops').users.create({ username: `after-${id.slice(0, 8)}` });
  await sequence(sql);
  const { size, waiting, problems } = await service.auth.asOperator('ops').audit.verify();
  expect({ size, waiting }).toEqual({ size: 2, waiting: 0 });
  return problems.map(({ kind, eventId }) => [kind, eventId === id]);
}

const unreadable: [row: string, column: string, value: string][] = [
  ['both a salt and its rest', 'kept', "'\\x00'"],
  ['an invalid rest of a salt', 'salt, kept', "null, '\\x00'"],
  ['deeply nested details', 'details', `'${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}'`],
  ['a text of 20 MB', 'details', "jsonb_build_object('a', repeat('x', 20000000))"],
];
test.each(unreadable)(
  '%s: a verification names the event, and later events get positions',
  async (_, column, value) => {
    expect(await problemsAfter(column, value)).toEqual([['event', true]]);
  },
);

const far = [
  '294276-12-31 23:59:59.999999+00',
  '4713-01-01 00:00:00+00 BC',
  '12026-01-01',
  'infinity',
  '-infinity',
];
test.each(far)('an event with the time %s and later events get positions', async (time) => {
  expect(await problemsAfter('at', `'${time}'`)).toEqual([]);
});
