import { randomUUID } from 'node:crypto';
import type { Middleware } from 'koa';

// Matches UUIDs, nginx's 32 hexadecimal digits, ULIDs and trace ids. All characters are safe in logs and headers.
const wellFormed = /^[\w.:+/=@-]{8,128}$/;

/**
 * Gives every request an id for the log, the audit log and the response. Behind a trusted proxy, the id is the proxy's
 * `X-Request-Id`, so that the proxy's log has the same id. Otherwise, the id is random, and clients cannot choose it.
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
      // Koa's error response contains only the headers of the error.
      if (error instanceof Error) addHeader(error, 'X-Request-Id', requestId);
      throw error;
    }
  };
}

function addHeader(error: Error & { headers?: Record<string, string> }, name: string, value: string): void {
  error.headers = { ...error.headers, [name]: value };
}
