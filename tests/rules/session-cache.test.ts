import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createSessionCache, type OwnedSessionCache } from '../../src/sessions/session-cache.ts';
import { channelDatabase } from '../db/support/channel-database.ts';
import { eventually } from '../support/eventually.ts';

const log = { info: () => {}, warn: () => {}, error: () => {} };
const find = async (token: string) => ({
  read: { user: { id: `user ${token}` }, session: { id: `session ${token}` }, fresh: true } as never,
  settledMs: 60_000,
});

/** Reads the session until the cache is on. */
const untilCached = (sessions: OwnedSessionCache, token: string) =>
  eventually(async () => {
    await sessions.read(token, find);
    return sessions.statistics().fromCache > 0;
  });

test('the session cache is off after the connection for notifications was lost, until another connection opens', async () => {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const database = channelDatabase({ opens: (connection) => (connection === 1 ? undefined : opened) });
  const sessions = createSessionCache(database, () => new Date(), log);
  await untilCached(sessions, 'session');
  database.connections[0]?.subscriber.onClose();
  await nextTurn();
  const before = sessions.statistics().fromDatabase;
  await sessions.read('session', find);
  await sessions.read('session', find);
  expect(sessions.statistics()).toMatchObject({ fromDatabase: before + 2, listening: false });
  open();
  await eventually(() => sessions.statistics().listening);
  await sessions.close();
});

test('the session cache keeps at most 20,000 sessions', async () => {
  const sessions = createSessionCache(channelDatabase(), () => new Date(), log);
  await untilCached(sessions, 'first');
  for (let n = 0; n < 20_000; n += 1) await sessions.read(`${n}`, find);
  const before = sessions.statistics().fromDatabase;
  await sessions.read('19999', find);
  await sessions.read('1', find);
  expect(sessions.statistics().fromDatabase).toBe(before);
  await sessions.read('first', find);
  expect(sessions.statistics().fromDatabase).toBe(before + 1);
  await sessions.close();
});

test('the session cache returns no session that it cached at a later time, because the clock can be set back', async () => {
  let now = Date.parse('2026-06-01T12:00:00Z');
  const sessions = createSessionCache(channelDatabase(), () => new Date(now), log);
  await untilCached(sessions, 'session');
  const reads = async () => {
    const before = sessions.statistics().fromDatabase;
    await sessions.read('session', find);
    return sessions.statistics().fromDatabase - before;
  };
  expect(await reads()).toBe(0);
  now -= 1;
  expect([await reads(), await reads()]).toEqual([1, 0]);
  await sessions.close();
});
