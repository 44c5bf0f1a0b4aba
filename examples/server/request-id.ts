import { randomUUID } from 'node:crypto';
import type { Middleware } from 'koa';

// UUIDs, nginx's 32 hexadecimal digits, ULIDs, trace ids: nothing that a log, a terminal or a header would act on.
const wellFormed = /^[\w.:+/=@-]{8,128}$/;

/**
 * Gives every request an id, for the log, the audit log and the answer: the trusted proxy's `X-Request-Id`, so that
 * its log and ours can be read together, or one made here. A client without a proxy between does not choose.
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
      // Koa answers an error with the headers that it carries, and drops all others.
      if (error instanceof Error) addHeader(error, 'X-Request-Id', requestId);
      throw error;
    }
  };
}

function addHeader(error: Error & { headers?: Record<string, string> }, name: string, value: string): void {
  error.headers = { ...error.headers, [name]: value };
}
