import type { Middleware } from 'koa';
import type { Logger } from 'pino';

/** Logs one line per request. Leaves out the query string, because it can contain personal data. */
export function logRequests(log: Logger): Middleware {
  return async (ctx, next) => {
    const began = performance.now();
    try {
      await next();
    } finally {
      ctx.res.once('close', () => {
        const { requestId } = ctx.state;
        const ms = Math.round((performance.now() - began) * 10) / 10;
        const fields = { requestId, method: ctx.method, path: ctx.path, status: ctx.res.statusCode, ms };
        if (ctx.path === '/healthz' || ctx.path === '/readyz') log.debug(fields, 'request');
        else log.info(fields, 'request');
      });
    }
  };
}
