import { randomUUID } from 'node:crypto';
import { isIP } from 'node:net';
import type { Context } from 'koa';
import type { Caller } from '../core/actor.ts';
import { bounds } from '../core/bounds.ts';
import type { Runtime } from '../core/runtime.ts';
import { readBrowser } from './cookies.ts';
import { presentedToken, usesBearer } from './presented-session.ts';
import { factsOf } from './request-source.ts';

/**
 * Replaces the browser-binding cookie in a ceremony of a client that uses bearer tokens. Such a client has no cookies.
 * No cookie has this value, so a browser cannot finish the ceremony, and the client cannot finish the ceremony of a
 * browser.
 */
const bearerClient = 'bearer';

/**
 * Returns the caller of a request. Does not check the session.
 *
 * @throws AuthError `invalid_request` if the request has a session cookie and asks for bearer tokens
 */
export function callerOf(ctx: Context, runtime: Runtime): Caller {
  const { method, path, header } = factsOf(ctx);
  const isBearer = usesBearer(ctx, runtime.config);
  return {
    ip: clientAddress(ctx, runtime.config.trustedProxies),
    userAgent:
      ctx.get('User-Agent').replace(controlCharacters, '').slice(0, bounds.userAgentCharacters) || null,
    requestId: requestIdOf(ctx),
    browser: isBearer ? bearerClient : readBrowser(ctx, runtime.config),
    sessionToken: presentedToken(factsOf(ctx), runtime.config),
    request: { method, path, header, transport: isBearer ? 'bearer' : 'cookie' },
  };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters must not get into a log
const controlCharacters = /[\u0000-\u001f\u007f-\u009f]/g;

/** Returns `ctx.state.requestId`. Sets it to a new id unless an earlier middleware of the application has set it. */
export function requestIdOf(ctx: Context): string {
  if (typeof ctx.state.requestId !== 'string') ctx.state.requestId = randomUUID();
  return ctx.state.requestId;
}

/**
 * Returns the IP address of the client. Behind trusted proxies, this is the entry in X-Forwarded-For that the outermost
 * trusted proxy appended. Clients can forge all entries to the left of this entry.
 *
 * A request with fewer entries than trusted proxies has bypassed a proxy, so all its entries can be forged.
 * For such a request, the result is the address of the connection.
 */
export function clientAddress(ctx: Context, trustedProxies: number): string | null {
  const socket = ctx.req.socket.remoteAddress ?? null;
  const forwarded = trustedProxies > 0 ? ctx.get('X-Forwarded-For').split(',') : [];
  const entry = forwarded[forwarded.length - trustedProxies]?.trim();
  const address = entry && isIP(entry) ? entry : socket;
  return address?.replace(/^::ffff:(?=\d+\.)/, '') ?? null;
}
