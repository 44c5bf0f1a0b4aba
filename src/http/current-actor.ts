import { randomUUID } from 'node:crypto';
import { isIP } from 'node:net';
import type { Context } from 'koa';
import type { Caller } from '../core/actor.ts';
import type { Runtime } from '../core/runtime.ts';
import { presentedToken, readBrowser } from './cookies.ts';

/** Reads the caller from a request. The session is not checked. */
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

/** The request id in `ctx.state.requestId`. An earlier middleware of the application can set it. */
export function requestIdOf(ctx: Context): string {
  if (typeof ctx.state.requestId !== 'string') ctx.state.requestId = randomUUID();
  return ctx.state.requestId;
}

/**
 * The client's address: the entry of X-Forwarded-For that the outermost trusted proxy appended. Clients can forge the
 * entries to its left.
 */
export function clientAddress(ctx: Context, trustedProxies: number): string | null {
  const socket = ctx.req.socket.remoteAddress ?? null;
  const forwarded = trustedProxies > 0 ? ctx.get('X-Forwarded-For').split(',') : [];
  const entry = forwarded[Math.max(0, forwarded.length - trustedProxies)]?.trim();
  const address = entry && isIP(entry) ? entry : socket;
  return address?.replace(/^::ffff:(?=\d+\.)/, '') ?? null;
}
