import type { Middleware } from 'koa';
import type { Metrics } from './registry.ts';

/** Tells how long each request took, until its answer was sent or its client was gone. */
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

/** A client may send whatever it likes for a method; a curve for each is not for it to make. */
const known = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
