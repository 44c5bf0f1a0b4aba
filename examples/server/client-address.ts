import ipaddr from 'ipaddr.js';
import type { Context } from 'koa';

/**
 * Returns the client's key for rate limits. For IPv4, the key is the address. For IPv6, the key is the /64 network of
 * the address, because a provider gives each customer at least a /64.
 *
 * Each trusted proxy appends the IP address of its caller to `X-Forwarded-For`. All earlier entries are ignored, because
 * clients can forge them. A request with fewer entries than trusted proxies has bypassed a proxy. For such a
 * request, the key is the address of the connection.
 */
export function clientOf(ctx: Context, trustedProxies: number): string {
  const forwarded = trustedProxies > 0 ? ctx.get('X-Forwarded-For').split(',') : [];
  const entry = forwarded[forwarded.length - trustedProxies]?.trim() ?? '';
  const address = ipaddr.isValid(entry) ? entry : (ctx.req.socket.remoteAddress ?? '');
  if (!ipaddr.isValid(address)) return 'unknown';
  // Turns an IPv4 address in IPv6 notation into an IPv4 address.
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4).join(':') : parsed.toString();
}
