import { randomUUID } from 'node:crypto';
import { isIP } from 'node:net';
import type { Context } from 'koa';
import type { Caller } from '../core/actor.ts';
import type { Runtime } from '../core/runtime.ts';
import { presentedToken, readBrowser } from './cookies.ts';

/** Who is asking, before anything is known of a session. */
export function callerOf(ctx: Context, runtime: Runtime): Caller {
  return {
    ip: clientAddress(ctx, runtime.config.trustedProxies),
    userAgent: ctx.get('User-Agent').replace(controlCharacters, '').slice(0, 400) || null,
    requestId: requestIdOf(ctx),
    browser: readBrowser(ctx, runtime.config),
    sessionToken: presentedToken(ctx, runtime.config),
  };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not reach a log
const controlCharacters = /[\u0000-\u001f\u007f-\u009f]/g;

/** An id for the request: the app's, where a middleware before us has put one into `ctx.state.requestId`. */
export function requestIdOf(ctx: Context): string {
  if (typeof ctx.state.requestId !== 'string') ctx.state.requestId = randomUUID();
  return ctx.state.requestId;
}

/**
 * The client's address, `hops` entries from the right: each trusted proxy appends the address it was called from,
 * so everything further left was written by the client itself.
 */
export function clientAddress(ctx: Context, hops: number): string | null {
  const socket = ctx.req.socket.remoteAddress ?? null;
  const forwarded = hops > 0 ? ctx.get('X-Forwarded-For').split(',') : [];
  const entry = forwarded[Math.max(0, forwarded.length - hops)]?.trim();
  const address = entry && isIP(entry) ? entry : socket;
  return address?.replace(/^::ffff:(?=\d+\.)/, '') ?? null;
}
