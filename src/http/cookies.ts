import { randomBytes } from 'node:crypto';
import type { Context } from 'koa';
import type { Configuration } from '../core/config.ts';

const isHttps = ({ origins }: Pick<Configuration, 'origins'>) => origins[0].startsWith('https:');

/** Browsers accept a `__Host-` cookie only if it is Secure, has no Domain and has the path `/` (RFC 6265bis). */
export const sessionCookieName = (config: Pick<Configuration, 'origins'>) =>
  isHttps(config) ? '__Host-latchkey' : 'latchkey';
const bindingCookie = (config: Configuration) =>
  isHttps(config) ? '__Host-latchkey-binding' : 'latchkey-binding';
const deviceCookie = (config: Configuration) =>
  isHttps(config) ? '__Host-latchkey-device' : 'latchkey-device';

/** Returns the session token in a Cookie header, or null. Does not check whether the token is valid. */
export const sessionToken = (cookies: string, config: Configuration): string | null =>
  cookieIn(cookies, sessionCookieName(config)) || null;

/** Returns the session token in a request's cookie, or null. Does not check whether the token is valid. */
export const presentedToken = (ctx: Context, config: Configuration): string | null =>
  sessionToken(ctx.get('Cookie'), config);

/**
 * Returns the value of the first cookie with this name in a Cookie header (RFC 6265, 4.2.1), or null.
 *
 * Ignores only spaces and tabs before a name, as browsers do. A subdomain can set a cookie whose name is a no-break
 * space followed by `__Host-latchkey`, because browsers do not protect this name. Such a cookie must have no effect.
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

/** Returns the id in the browser-binding cookie, or null if the cookie is missing or malformed. */
export function readBrowser(ctx: Context, config: Configuration): string | null {
  const cookie = cookieIn(ctx.get('Cookie'), bindingCookie(config));
  return cookie && browserId.test(cookie) ? cookie : null;
}

/**
 * Sets the browser-binding cookie to 128 random bits. The cookie ties a ceremony to the browser that started the
 * ceremony. Later ceremonies in the same browser, also in other tabs, use the same cookie.
 *
 * The cookie is not sealed (encrypted with a key of the service), because sealing would not stop an attacker who can
 * set cookies in a user's browser. Such an attacker could set a sealed cookie that the service gave to the attacker.
 */
export function bindBrowser(ctx: Context, config: Configuration): string {
  const browser = randomBytes(16).toString('base64url');
  setCookie(ctx, config, bindingCookie(config), browser);
  return browser;
}

/** Returns the device cookie, or null. Does not check it. */
export const readDeviceCookie = (ctx: Context, config: Configuration): string | null =>
  cookieIn(ctx.get('Cookie'), deviceCookie(config));

export const setDeviceCookie = (
  ctx: Context,
  config: Configuration,
  value: string,
  maxAgeSeconds: number,
): void => setCookie(ctx, config, deviceCookie(config), value, maxAgeSeconds);

// `ctx.cookies.set` is not usable here. Behind a proxy that terminates TLS, it throws for a Secure cookie if
// `app.proxy` is not set.
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
