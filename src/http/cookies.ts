import { randomBytes } from 'node:crypto';
import type { Context } from 'koa';
import type { Configuration } from '../core/config.ts';

const isHttps = ({ origins }: Pick<Configuration, 'origins'>) => origins[0].startsWith('https:');

/** Browsers reject a `__Host-` cookie unless it is Secure, without Domain and with the path `/` (RFC 6265bis). */
export const sessionCookieName = (config: Pick<Configuration, 'origins'>) =>
  isHttps(config) ? '__Host-latchkey' : 'latchkey';
const bindingCookie = (config: Configuration) =>
  isHttps(config) ? '__Host-latchkey-binding' : 'latchkey-binding';

/** The session token in a Cookie header, or null. It is not checked. */
export const sessionToken = (cookies: string, config: Configuration): string | null =>
  cookieIn(cookies, sessionCookieName(config)) || null;

/** The session token in a request's cookie, or null. It is not checked. */
export const presentedToken = (ctx: Context, config: Configuration): string | null =>
  sessionToken(ctx.get('Cookie'), config);

/**
 * The value of a cookie in a Cookie header (RFC 6265, 4.2.1), or null. If several have the name, the first.
 *
 * Only spaces and tabs are skipped, as in browsers. Otherwise a subdomain could set a cookie whose name starts with
 * other white space: browsers would not protect it as `__Host-`, but it would match here.
 */
function cookieIn(header: string, name: string): string | null {
  for (const pair of header.split(';')) {
    const cookie = pair.replace(/^[ \t]+/, '');
    if (cookie.startsWith(`${name}=`)) return cookie.slice(name.length + 1);
  }
  return null;
}

export const setSessionCookie = (
  ctx: Context,
  config: Configuration,
  { token, maxAgeSeconds }: { token: string; maxAgeSeconds: number },
): void => setCookie(ctx, config, sessionCookieName(config), token, maxAgeSeconds);

export const clearSessionCookie = (ctx: Context, config: Configuration): void =>
  setCookie(ctx, config, sessionCookieName(config), '', 0);

const browserId = /^[\w-]{22}$/;

/** The id in the browser-binding cookie, or null if it is missing or malformed. */
export function readBrowser(ctx: Context, config: Configuration): string | null {
  const cookie = cookieIn(ctx.get('Cookie'), bindingCookie(config));
  return cookie && browserId.test(cookie) ? cookie : null;
}

/**
 * Sets the browser-binding cookie to 128 random bits. It ties a ceremony to the browser that started it. The browser
 * keeps it, so that ceremonies in several tabs share it.
 *
 * Sealing the cookie would add no protection: an attacker who can set cookies in a victim's browser can set one that
 * the service issued to the attacker.
 */
export function bindBrowser(ctx: Context, config: Configuration): string {
  const browser = randomBytes(16).toString('base64url');
  setCookie(ctx, config, bindingCookie(config), browser);
  return browser;
}

// Without `ctx.cookies`, which throws for Secure cookies behind a TLS-terminating proxy unless `app.proxy` is set.
function setCookie(
  ctx: Context,
  config: Configuration,
  name: string,
  value: string,
  maxAgeSeconds?: number,
): void {
  const lifetime = maxAgeSeconds === undefined ? '' : `; Max-Age=${maxAgeSeconds}`;
  const secure = isHttps(config) ? '; Secure' : '';
  ctx.append('Set-Cookie', `${name}=${value}; Path=/; HttpOnly; SameSite=Lax${secure}${lifetime}`);
}
