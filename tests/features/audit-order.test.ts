import { type AuthService, createAuthService, type Database } from 'latchkey';
import { createInMemoryDatabase } from 'latchkey/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cursorOf, readCursor } from '../../src/audit/log/cursor.ts';
import { readEventsAfter } from '../../src/audit/store/positions.ts';
import { renewLease } from '../../src/audit/store/sequencer-lease.ts';
import { sequence } from '../support/sequencing.ts';
import { secret, startTestService, type TestService } from '../support/test-service.ts';

/** Where the events are, and how they get their positions. */
interface Log {
  auth: AuthService;
  db: Database;
  sequence(): Promise<void>;
  close(): Promise<void>;
}

const places: [string, () => Promise<Log>][] = [
  ['in PostgreSQL', inPostgres],
  ['in memory', inMemory],
];
describe.each(places)('positions %s', (_, open) => {
  let log: Log;
  beforeAll(async () => {
    log = await open();
    const operator = log.auth.asOperator('ops');
    for (const username of ['ada', 'ben', 'cora']) await operator.users.create({ username });
    await log.sequence();
    for (const username of ['ada', 'ben', 'cora']) await operator.users.disable(username, { reason: 'left' });
    await log.sequence();
  });
  afterAll(() => log?.close());

  const read = async (...args: [position: bigint | null, limit: number, filter?: { events: string[] }]) => {
    const { events, readTo } = await readEventsAfter(log.db, ...args);
    return {
      events: events.map(({ position, event, target_name }) => [position, event, target_name]),
      readTo,
    };
  };
  const created = ['ada', 'ben', 'cora'].map((name, index) => [`${index}`, 'user.create', name]);
  const disabled = ['ada', 'ben', 'cora'].map((name, index) => [`${index + 3}`, 'user.disable', name]);

  test('start at 0 and have no gaps', async () => {
    expect(await read(null, 10)).toEqual({ events: [...created, ...disabled], readTo: '5' });
  });

  test('are the start of the next read, which returns only later events', async () => {
    expect(await read(null, 2)).toEqual({ events: created.slice(0, 2), readTo: '1' });
    expect(await read(1n, 2)).toEqual({ events: [created[2], disabled[0]], readTo: '3' });
    expect(await read(5n, 2)).toEqual({ events: [], readTo: null });
  });

  test('are read to the end, even if the filter matches no event', async () => {
    const events = ['passkey.login'];
    expect(await read(null, 2, { events })).toEqual({ events: [], readTo: '5' });
    expect(await read(null, 10, { events: ['user.disable'] })).toEqual({ events: disabled, readTo: '5' });
    expect(await read(null, 2, { events: ['user.disable'] })).toEqual({
      events: disabled.slice(0, 2),
      readTo: '4',
    });
  });
});

test('no process sequences an in-memory database, which assigns the positions itself', async () => {
  const log = await inMemory();
  expect(await log.db.query(renewLease(crypto.randomUUID(), true))).toEqual([]);
  expect(await log.auth.asOperator('ops').audit.backlog()).toEqual({ waitingSeconds: 0 });
  await log.close();
});

describe('a cursor', () => {
  const id = '0193d5a2-7c1e-7cc3-98c5-c2a1b3d4e5f6';

  test('contains the position and the id of an event', () => {
    expect(readCursor(cursorOf({ position: '41', id }))).toEqual({ position: 41n, eventId: id });
  });

  test.each([
    undefined,
    null,
    41,
    '',
    '41',
    `-1:${id}`,
    `041:${id}`,
    `41:${id} `,
    `9223372036854775808:${id}`,
    '41:x',
  ])('rejects %s', (text) => {
    expect(() => readCursor(text)).toThrow(expect.objectContaining({ code: 'invalid_request' }));
  });
});

async function inPostgres(): Promise<Log> {
  const service: TestService = await startTestService();
  const { sql } = service.database;
  return {
    auth: service.auth,
    db: { query: async ({ text, values }) => [...(await sql.unsafe(text, values as never[]))] as never },
    sequence: () => sequence(sql),
    close: service.close,
  };
}

async function inMemory(): Promise<Log> {
  const db = createInMemoryDatabase();
  const auth = await createAuthService({ database: db, migrate: true, secret, env: {} });
  return { auth, db, sequence: async () => {}, close: auth.close };
}
