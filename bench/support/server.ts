import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAuthService } from 'latchkey';
import { guardedApp } from './guarded-app.ts';

// Shortens timers of a minute or more by this factor. Only the clean-up job has such timers.
const speed = Number(process.env.MINUTES_SPEED ?? 1);
const { setTimeout } = globalThis;
if (speed > 1)
  globalThis.setTimeout = ((work: () => void, ms = 0) =>
    setTimeout(work, ms < 60_000 ? ms : ms / speed)) as typeof setTimeout;

// A separate process, so that the service does not share an event loop with the benchmark.
const auth = await createAuthService({ migrate: true });
const server = createServer(guardedApp(auth).callback());
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
// Measures how long the event loop was busy since the start of the process.
process.on('message', () => process.send?.(performance.eventLoopUtilization().active));
process.once('SIGTERM', async () => {
  server.close();
  server.closeAllConnections();
  await auth.close();
  process.exit(0);
});
// Exits when the parent process ends.
process.once('disconnect', () => process.exit(0));
