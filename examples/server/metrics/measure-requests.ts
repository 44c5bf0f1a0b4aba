import type { Middleware } from 'koa';
import type { Metrics } from './registry.ts';

/** Measures each request until its response has been sent or the client has disconnected. */
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

/** Clients can send any method. Without this list, they could create any number of time series. */
const known = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
