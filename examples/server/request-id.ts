import { randomUUID } from 'node:crypto';
import type { Middleware } from 'koa';

// Fits UUIDs, nginx's 32 hexadecimal digits, ULIDs and trace ids; no character is special in a log, terminal or header.
const wellFormed = /^[\w.:+/=@-]{8,128}$/;

/**
 * Gives every request an id for the log, the audit log and the answer: the trusted proxy's `X-Request-Id`, so that its
 * log and ours can be matched, or a new one. Without a proxy, the header is ignored: clients cannot choose the id.
 */
export function identifyRequests(trustedProxies: number): Middleware {
  return async (ctx, next) => {
    const given = trustedProxies > 0 ? ctx.get('X-Request-Id') : '';
    const requestId = wellFormed.test(given) ? given : randomUUID();
    ctx.state.requestId = requestId;
    ctx.set('X-Request-Id', requestId);
    try {
      await next();
    } catch (error) {
      // Koa's error answer keeps only the headers on the error.
      if (error instanceof Error) addHeader(error, 'X-Request-Id', requestId);
      throw error;
    }
  };
}

function addHeader(error: Error & { headers?: Record<string, string> }, name: string, value: string): void {
  error.headers = { ...error.headers, [name]: value };
}
