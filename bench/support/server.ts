import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Koa, { type Middleware } from 'koa';
import {
  createAuthRouter,
  createAuthService,
  type GuardedState,
  requireRole,
  requireSession,
} from 'latchkey';

// To whoever waits for minutes, the clean-up job that is, they may go by so many times as fast.
const speed = Number(process.env.MINUTES_SPEED ?? 1);
const { setTimeout } = globalThis;
if (speed > 1)
  globalThis.setTimeout = ((work: () => void, ms = 0) =>
    setTimeout(work, ms < 60_000 ? ms : ms / speed)) as typeof setTimeout;

// The service in a process of its own, so that whoever measures does not compete with it for one event loop.
const auth = await createAuthService({ migrate: true });
const app = new Koa<GuardedState>();
app.use(createAuthRouter(auth).routes());
const guards: Record<string, Middleware> = {
  '/me': requireSession(auth),
  '/user': requireRole(auth, 'user'),
};
app.use((ctx, next) => guards[ctx.path]?.(ctx, next));
app.use((ctx) => {
  ctx.body = { user: ctx.state.auth.user };
});
const server = createServer(app.callback());
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.once('SIGTERM', async () => {
  server.close();
  server.closeAllConnections();
  await auth.close();
  process.exit(0);
});
// Whoever measures is gone, by whatever way: nothing stays behind.
process.once('disconnect', () => process.exit(0));
