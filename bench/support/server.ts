import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAuthService } from 'latchkey';
import { guardedApp } from './guarded-app.ts';

// To whoever waits for minutes, the clean-up job that is, they may go by so many times as fast.
const speed = Number(process.env.MINUTES_SPEED ?? 1);
const { setTimeout } = globalThis;
if (speed > 1)
  globalThis.setTimeout = ((work: () => void, ms = 0) =>
    setTimeout(work, ms < 60_000 ? ms : ms / speed)) as typeof setTimeout;

// The service in a process of its own, so that whoever measures does not compete with it for one event loop.
const auth = await createAuthService({ migrate: true });
const server = createServer(guardedApp(auth).callback());
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.once('SIGTERM', async () => {
  server.close();
  server.closeAllConnections();
  await auth.close();
  process.exit(0);
});
// Whoever measures is gone, by whatever way: nothing stays behind.
process.once('disconnect', () => process.exit(0));
