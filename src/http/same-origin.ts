import type { Context, Middleware } from 'koa';
import { AuthError } from '../core/errors.ts';
import type { Runtime } from '../core/runtime.ts';

const safe = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Refuses mutations that another site started, before anything else is looked at. */
export function refuseCrossOrigin(runtime: Runtime): Middleware {
  return (ctx, next) => {
    assertSameOrigin(ctx, runtime);
    return next();
  };
}

/**
 * Fetch metadata tells of modern browsers, Origin of the others; a request with neither is not from a browser and
 * carries no cookie by itself. The refusal is logged: behind it is an attack, or an origin missing from the settings.
 *
 * @throws AuthError `cross_origin_request`
 */
export function assertSameOrigin(ctx: Context, { config, log }: Runtime): void {
  if (safe.has(ctx.method)) return;
  const site = ctx.get('Sec-Fetch-Site');
  const origin = ctx.get('Origin');
  const foreignSite = site !== '' && site !== 'same-origin' && site !== 'none';
  const foreignOrigin = origin !== '' && !config.origins.includes(origin);
  if (!foreignSite && !foreignOrigin) return;
  log.warn({ origin, site, expected: config.origins }, `refused a cross-origin ${ctx.method} ${ctx.path}`);
  throw new AuthError('cross_origin_request');
}
