import type { Context, Middleware } from 'koa';
import ratelimit from 'koa-ratelimit';
import { RecentCounters } from './recent-counters.ts';

const duration = 60_000;

/**
 * Allows `max` requests per minute. Responds with 429 to further requests.
 *
 * @param id returns the key that a request counts toward, such as its user or IP address
 */
export const limitRequests = (max: number, id: (ctx: Context) => string): Middleware =>
  ratelimit({
    driver: 'memory',
    db: new RecentCounters(),
    duration,
    max,
    id,
    disableHeader: true,
    // By default, koa-ratelimit responds with plain text, and rounds the seconds in Retry-After down.
    onLimited: (ctx: Context) =>
      ctx.throw(429, 'Too many requests. Wait a moment, then try again.', {
        code: 'rate_limited',
        headers: { 'Retry-After': `${ctx.state.rateLimit.after + 1}` },
      }),
  } as ratelimit.MiddlewareOptions);
