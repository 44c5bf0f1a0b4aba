import type { Middleware } from 'koa';
import type { Metrics } from './registry.ts';

/** Measures each request until its answer has been sent or its client has disconnected. */
export function measureRequests({ observe }: Metrics): Middleware {
  return (ctx, next) => {
    const began = performance.now();
    ctx.res.once('close', () => {
      const seconds = (performance.now() - began) / 1000;
      observe({ method: known.has(ctx.method) ? ctx.method : 'other', status: ctx.res.statusCode, seconds });
    });
    return next();
  };
}

/** Clients can send any method: without this list they could create any number of time series. */
const known = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
