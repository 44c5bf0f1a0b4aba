import type { Context, Middleware } from 'koa';
import { bounds } from '../core/bounds.ts';
import { AuthError } from '../core/errors.ts';
import type { Runtime } from '../core/runtime.ts';
import { shortened } from '../core/shortened.ts';
import { clientAddress } from './current-actor.ts';
import { presentedSession } from './presented-session.ts';
import { createRefusalLog, type RefusalLog } from './refusal-log.ts';
import { KoaRequest, type ReceivedRequest } from './request-source.ts';

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
  if (isCrossOrigin(receivedBy(ctx, runtime), runtime)) throw new AuthError('cross_origin_request');
}

class ReceivedByKoa extends KoaRequest implements ReceivedRequest {
  private readonly trustedProxies: number;

  constructor(ctx: Context, { config }: Runtime) {
    super(ctx);
    this.trustedProxies = config.trustedProxies;
  }

  get ip(): string | null {
    return clientAddress(this.ctx, this.trustedProxies);
  }
}

export const receivedBy = (ctx: Context, runtime: Runtime): ReceivedRequest =>
  new ReceivedByKoa(ctx, runtime);

/**
 * Whether a request is a mutation or a WebSocket handshake that a page of an unknown origin started. Such a request
 * must not use the user's cookie. Pages of the configured origins can start such requests, even from another site.
 *
 * With these requests, all browsers send Origin, and modern browsers also send Sec-Fetch-Site. A request with neither
 * header does not come from a browser, so no browser added the user's cookie to it. A browser also never adds a bearer
 * token, so a request whose only session is a bearer token needs no check.
 *
 * The rate limits must not count the request. Any page can make the browsers of its visitors send such requests, so the
 * page could use up the budgets of its visitors. Rejections are logged, because they are either an attack or a sign that
 * WEBAUTHN_RP_ORIGIN lacks an origin. The log has limits of its own (see `createRefusalLog`), and shortens everything
 * that the request contains.
 */
export function isCrossOrigin(request: ReceivedRequest, runtime: Runtime): boolean {
  const { config } = runtime;
  const { method, header } = request;
  const handshake = isHandshake(request);
  if (method !== null && safe.has(method) && !handshake) return false;
  const origin = header('origin');
  // Scripts cannot set Origin, so a configured origin is enough, whatever Sec-Fetch-Site says.
  if (config.origins.includes(origin)) return false;
  const site = header('sec-fetch-site');
  const foreignOrigin = origin !== '';
  // For a handshake, only Origin decides, because handshakes between the configured origins are allowed. For an unknown
  // method, only Origin decides, because a navigation from another site is harmless and has no Origin.
  const originDecides = handshake || method === null;
  const foreignSite = !originDecides && site !== '' && site !== 'same-origin' && site !== 'none';
  if (!foreignSite && !foreignOrigin) return false;
  const { transport, token, isAmbiguous } = presentedSession(request, config);
  if (transport === 'bearer' && token !== null && !isAmbiguous) return false;
  const { path, ip } = request;
  const what = [handshake ? 'upgrade' : (method ?? 'request'), path].filter(Boolean).join(' ');
  const fields = { origin: inLog(origin), site: inLog(site), expected: config.origins };
  refusalLogOf(runtime).warn(ip, fields, `rejected a cross-origin ${inLog(what)}`);
  return true;
}

const inLog = (text: string): string => shortened(text, bounds.loggedCharacters);

/** The log of each service. It is not part of `Runtime`, because core must not depend on HTTP. */
const refusalLogs = new WeakMap<Runtime, RefusalLog>();

/** Returns the log for the rejected requests of a service. */
export function refusalLogOf(runtime: Runtime): RefusalLog {
  const known = refusalLogs.get(runtime);
  if (known) return known;
  const created = createRefusalLog(runtime.log, runtime.clock);
  refusalLogs.set(runtime, created);
  return created;
}

/**
 * Whether a request is a WebSocket handshake (RFC 6455 over HTTP/1.1, RFC 8441 over HTTP/2). CORS does not apply to
 * handshakes.
 */
const isHandshake = ({ method, header }: ReceivedRequest): boolean =>
  method === 'CONNECT' || ((method === 'GET' || method === null) && header('upgrade') !== '');
