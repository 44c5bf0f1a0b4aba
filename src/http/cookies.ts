import { randomBytes } from 'node:crypto';
import type { Context } from 'koa';
import type { Configuration } from '../core/config.ts';

const isHttps = ({ origins }: Pick<Configuration, 'origins'>) => origins[0].startsWith('https:');

/** `__Host-` makes browsers refuse the cookie unless it is Secure, host-only and for the whole site (RFC 6265bis). */
export const sessionCookieName = (config: Pick<Configuration, 'origins'>) =>
  isHttps(config) ? '__Host-latchkey' : 'latchkey';
const bindingCookie = (config: Configuration) =>
  isHttps(config) ? '__Host-latchkey-binding' : 'latchkey-binding';

/** The session token in a Cookie header, or null. Only the database knows whether a session has it. */
export const sessionToken = (cookies: string, config: Configuration): string | null =>
  cookieIn(cookies, sessionCookieName(config)) || null;

/** The session token that the request presents, as `sessionToken` reads it. */
export const presentedToken = (ctx: Context, config: Configuration): string | null =>
  sessionToken(ctx.get('Cookie'), config);

/**
 * A cookie's value in a Cookie header (RFC 6265, 4.2.1), or null. Of several with one name it is the first.
 *
 * Skips only spaces and tabs, as browsers do. If other white space were skipped, a subdomain could set a cookie whose
 * name starts with it: browsers would not protect it as `__Host-`, but it would match here.
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

/** The browser's id in its binding cookie, or null where it has none of the form of ours. */
export function readBrowser(ctx: Context, config: Configuration): string | null {
  const cookie = cookieIn(ctx.get('Cookie'), bindingCookie(config));
  return cookie && browserId.test(cookie) ? cookie : null;
}

/**
 * Gives a browser that has none an id of 128 random bits. It ties a ceremony to the browser that began it, and is kept,
 * so that parallel tabs share it. Sealing it would prove nothing: who can put a cookie of their own making into
 * somebody's browser can as well put one there that we made for them.
 */
export function bindBrowser(ctx: Context, config: Configuration): string {
  const browser = randomBytes(16).toString('base64url');
  setCookie(ctx, config, bindingCookie(config), browser);
  return browser;
}

// Written by hand: Koa refuses Secure cookies behind a TLS-terminating proxy unless the app trusts its headers.
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
