import type { Middleware } from 'koa';
import type { AuthService } from 'latchkey';

/** `/healthz`: the process is up. `/readyz`: the database answers and its schema is current. */
export function answerHealth(auth: AuthService): Middleware {
  return async (ctx, next) => {
    if (ctx.path === '/healthz') {
      ctx.body = { status: 'up' };
    } else if (ctx.path === '/readyz') {
      const ready = await auth.isReady().catch(() => false);
      ctx.status = ready ? 200 : 503;
      ctx.body = { status: ready ? 'ready' : 'not ready' };
    } else {
      await next();
      return;
    }
    ctx.set('Cache-Control', 'no-store');
  };
}
