import type { Middleware } from 'koa';
import { AuthError } from '../core/errors.ts';

const safe = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses mutations that another site started, before anything else is looked at. Fetch metadata tells of modern
 * browsers, Origin of the others; a request with neither is not from a browser and carries no cookie by itself.
 */
export function refuseCrossOrigin(origins: readonly string[]): Middleware {
  return (ctx, next) => {
    if (safe.has(ctx.method)) return next();
    const site = ctx.get('Sec-Fetch-Site');
    const origin = ctx.get('Origin');
    const foreignSite = site !== '' && site !== 'same-origin' && site !== 'none';
    const foreignOrigin = origin !== '' && !origins.includes(origin);
    if (foreignSite || foreignOrigin) {
      throw new AuthError('cross_origin_request', { detail: `Sec-Fetch-Site ${site}, Origin ${origin}` });
    }
    return next();
  };
}
