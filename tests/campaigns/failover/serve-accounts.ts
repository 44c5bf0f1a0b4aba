import { createServer } from 'node:http';
import { inspect } from 'node:util';
import Koa from 'koa';
import { createAuthRouter, createAuthService, requireRole, requireSession } from 'latchkey';

/** Serves accounts over HTTP, as an application does. DATABASE_URL, REDIS_URL and JWT_SECRET configure it. */
export async function serveAccounts(): Promise<void> {
  // The load comes from one IP address, so only the budget of recovery codes has its default for addresses.
  const unlimited = { address: { max: 1_000_000, seconds: 1 }, account: null };
  const auth = await createAuthService({
    migrate: true,
    trustedProxies: 1,
    rateLimits: { read: unlimited, write: unlimited, ceremony: unlimited, recovery: { account: null } },
  });

  const statusOf = (isTrue: boolean): number => (isTrue ? 200 : 503);
  const app = new Koa();
  app.proxy = true;
  // The router logs its own errors. These are the errors of the guards, which Koa does not log if clients can see them.
  app.on('error', (error, ctx) => {
    process.stderr.write(`${ctx?.method} ${ctx?.path} failed: ${inspect(error)}\n`);
  });
  app.use(createAuthRouter(auth).routes());
  app.use(async (ctx, next) => {
    if (ctx.path === '/readyz') ctx.status = statusOf(await auth.isReady().catch(() => false));
    else if (ctx.path === '/limits-shared')
      ctx.status = statusOf(auth.statistics().rateLimits.shared === true);
    else await next();
  });
  const cached = requireSession(auth);
  const uncached = requireRole(auth, 'user');
  app.use((ctx, next) => (ctx.path === '/cached' ? cached(ctx, next) : uncached(ctx, next)));
  app.use((ctx) => {
    ctx.body = ctx.state.auth.user;
  });

  const server = createServer(app.callback());
  // With a keep-alive timeout, a request could be lost on an idle connection that the server is closing.
  server.keepAliveTimeout = 0;
  server.listen(Number(process.env.PORT), '127.0.0.1');
  process.on('SIGTERM', () => {
    // A kept-alive connection closes after its current request.
    const sweep = setInterval(() => server.closeIdleConnections(), 20);
    server.close(async () => {
      clearInterval(sweep);
      await auth.close();
      process.exit(0);
    });
  });
}
