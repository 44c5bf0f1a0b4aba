import type { Context, Middleware } from 'koa';
import { AuthError } from '../core/errors.ts';
import type { Runtime } from '../core/runtime.ts';
import type { ReceivedRequest } from './request-source.ts';

const safe = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Rejects mutations that another site started (cross-site request forgery, CSRF). Runs before any other check. */
export function rejectCrossOrigin(runtime: Runtime): Middleware {
  return (ctx, next) => {
    assertSameOrigin(ctx, runtime);
    return next();
  };
}

/** @throws AuthError `cross_origin_request` (see `isCrossOrigin`) */
export function assertSameOrigin(ctx: Context, runtime: Runtime): void {
  if (isCrossOrigin(receivedBy(ctx), runtime)) throw new AuthError('cross_origin_request');
}

export const receivedBy = (ctx: Context): ReceivedRequest => ({
  method: ctx.method,
  path: ctx.path,
  header: (name) => ctx.get(name),
});

/**
 * Whether a request is a mutation or a WebSocket handshake that another site started. Such a request must not use the
 * user's cookie.
 *
 * With these requests, all browsers send Origin, and modern browsers also send Sec-Fetch-Site. A request with neither
 * header does not come from a browser, so no browser added the user's cookie to it. Each rejection is logged, because
 * it is either an attack or a sign that WEBAUTHN_RP_ORIGIN lacks an origin.
 */
export function isCrossOrigin(request: ReceivedRequest, { config, log }: Runtime): boolean {
  const { method, path, header } = request;
  const handshake = isHandshake(request);
  if (method !== null && safe.has(method) && !handshake) return false;
  const origin = header('origin');
  const site = header('sec-fetch-site');
  const foreignOrigin = origin !== '' && !config.origins.includes(origin);
  // For a handshake, only Origin decides, because handshakes between the configured origins are allowed. For an unknown
  // method, only Origin decides, because a navigation from another site is harmless and has no Origin.
  const originDecides = handshake || method === null;
  const foreignSite = !originDecides && site !== '' && site !== 'same-origin' && site !== 'none';
  if (!foreignSite && !foreignOrigin) return false;
  const what = [handshake ? 'upgrade' : (method ?? 'request'), path].filter(Boolean).join(' ');
  log.warn({ origin, site, expected: config.origins }, `rejected a cross-origin ${what}`);
  return true;
}

/**
 * Whether a request is a WebSocket handshake (RFC 6455 over HTTP/1.1, RFC 8441 over HTTP/2). CORS does not apply to
 * handshakes.
 */
const isHandshake = ({ method, header }: ReceivedRequest): boolean =>
  method === 'CONNECT' || ((method === 'GET' || method === null) && header('upgrade') !== '');
