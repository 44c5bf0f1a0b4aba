import { expect, test } from 'vitest';
import { createSessionCache } from '../../src/sessions/session-cache.ts';
import { channelDatabase } from '../db/support/channel-database.ts';
import { eventually } from '../support/eventually.ts';

test('the session cache keeps at most 20,000 sessions', async () => {
  const log = { info: () => {}, warn: () => {}, error: () => {} };
  const sessions = createSessionCache(channelDatabase(), () => new Date(), log);
  const find = async (token: string) => ({
    read: { user: { id: `user ${token}` }, session: { id: `session ${token}` }, fresh: true } as never,
    settledMs: 60_000,
  });
  await eventually(async () => {
    await sessions.read('first', find);
    return sessions.statistics().fromCache > 0;
  });
  for (let n = 0; n < 20_000; n += 1) await sessions.read(`${n}`, find);
  const before = sessions.statistics().fromDatabase;
  await sessions.read('19999', find);
  await sessions.read('1', find);
  expect(sessions.statistics().fromDatabase).toBe(before);
  await sessions.read('first', find);
  expect(sessions.statistics().fromDatabase).toBe(before + 1);
  await sessions.close();
});
