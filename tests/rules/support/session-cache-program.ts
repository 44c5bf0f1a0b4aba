import { setImmediate as nextTurn } from 'node:timers/promises';
import { createSessionCache } from '../../../src/sessions/session-cache.ts';
import { channelDatabase } from '../../db/support/channel-database.ts';

/**
 * Fills a session cache, then reads three times as many other sessions. Prints by how many bytes per later session the
 * heap has grown. The program needs the Node option --expose-gc.
 */
const maxSessions = 20_000;
const log = { info: () => {}, warn: () => {}, error: () => {} };
const sessions = createSessionCache(channelDatabase(), () => new Date(), log);
const find = async (token: string) => ({
  read: { user: { id: `user ${token}` }, session: { id: `session ${token}` }, fresh: true } as never,
  settledMs: 60_000,
});

let count = 0;
async function readOthers(most: number): Promise<void> {
  for (let n = 0; n < most; n += 1) await sessions.read(`${count++}`, find);
}

function heapUsed(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

while (!sessions.statistics().listening) {
  await sessions.read('first', find);
  await nextTurn();
}
await readOthers(maxSessions);
const before = heapUsed();
const later = 3 * maxSessions;
await readOthers(later);
const grownBytes = (heapUsed() - before) / later;
process.stdout.write(JSON.stringify({ cached: sessions.statistics().cached, grownBytes }));
await sessions.close();
