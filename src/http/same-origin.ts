import type { Context, Middleware } from 'koa';
import { AuthError } from '../core/errors.ts';
import type { Runtime } from '../core/runtime.ts';
import type { ReceivedRequest } from './request-source.ts';

const safe = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Rejects mutations from other sites (CSRF) before any other check. */
export function rejectCrossOrigin(runtime: Runtime): Middleware {
  return (ctx, next) => {
    assertSameOrigin(ctx, runtime);
    return next();
  };
}

/** @throws AuthError `cross_origin_request`, see `isCrossOrigin` */
export function assertSameOrigin(ctx: Context, runtime: Runtime): void {
  if (isCrossOrigin(receivedBy(ctx), runtime)) throw new AuthError('cross_origin_request');
}

export const receivedBy = (ctx: Context): ReceivedRequest => ({
  method: ctx.method,
  path: ctx.path,
  header: (name) => ctx.get(name),
});

/**
 * Whether another site started a request that must not use the user's cookie: a mutation, or a WebSocket handshake.
 *
 * All browsers send Origin, and modern browsers also send Sec-Fetch-Site. A request with neither is not from a browser,
 * so no cookie was attached automatically. Each rejection is logged: it is an attack, or WEBAUTHN_RP_ORIGIN lacks an
 * origin.
 */
export function isCrossOrigin(request: ReceivedRequest, { config, log }: Runtime): boolean {
  const { method, path, header } = request;
  const handshake = isHandshake(request);
  if (method !== null && safe.has(method) && !handshake) return false;
  const origin = header('origin');
  const site = header('sec-fetch-site');
  const foreignOrigin = origin !== '' && !config.origins.includes(origin);
  // Handshakes between the configured origins are allowed, so only Origin decides. If the method is unknown, the request
  // can be a navigation from another site, which is harmless and has no Origin.
  const originDecides = handshake || method === null;
  const foreignSite = !originDecides && site !== '' && site !== 'same-origin' && site !== 'none';
  if (!foreignSite && !foreignOrigin) return false;
  const what = [handshake ? 'upgrade' : (method ?? 'request'), path].filter(Boolean).join(' ');
  log.warn({ origin, site, expected: config.origins }, `rejected a cross-origin ${what}`);
  return true;
}

/** A WebSocket handshake: RFC 6455 over HTTP/1.1, RFC 8441 over HTTP/2. CORS does not apply to it. */
const isHandshake = ({ method, header }: ReceivedRequest): boolean =>
  method === 'CONNECT' || ((method === 'GET' || method === null) && header('upgrade') !== '');
