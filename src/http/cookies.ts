import { randomBytes } from 'node:crypto';
import type { Context } from 'koa';
import type { Configuration } from '../core/config.ts';
import { cookieDomainFor } from '../core/config-cookies.ts';
import { cookieIn, isHttps, sessionCookieName } from './cookie-names.ts';
import { usesBearer } from './presented-session.ts';
import { factsOf } from './request-source.ts';

const otherCookie = (ctx: Context, config: Configuration, ending: 'binding' | 'device'): string =>
  `${sessionCookieName(config, factsOf(ctx))}-${ending}`;

export const setSessionCookie = (
  ctx: Context,
  config: Configuration,
  { token, maxAgeSeconds }: { token: string; maxAgeSeconds: number },
): void => setCookie(ctx, config, sessionCookieName(config, factsOf(ctx)), token, maxAgeSeconds);

/** Deletes the session cookie. Does nothing for a client that uses bearer tokens, because it has no cookie. */
export function clearSessionCookie(ctx: Context, config: Configuration): void {
  if (!usesBearer(ctx, config)) setCookie(ctx, config, sessionCookieName(config, factsOf(ctx)), '', 0);
}

const browserId = /^[\w-]{22}$/;

/** Returns the id in the browser-binding cookie, or null if the cookie is missing or malformed. */
export function readBrowser(ctx: Context, config: Configuration): string | null {
  const cookie = cookieIn(ctx.get('Cookie'), otherCookie(ctx, config, 'binding'));
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
  setCookie(ctx, config, otherCookie(ctx, config, 'binding'), browser);
  return browser;
}

/** Returns the device cookie, or null. Does not check it. */
export const readDeviceCookie = (ctx: Context, config: Configuration): string | null =>
  cookieIn(ctx.get('Cookie'), otherCookie(ctx, config, 'device'));

export const setDeviceCookie = (
  ctx: Context,
  config: Configuration,
  value: string,
  maxAgeSeconds: number,
): void => setCookie(ctx, config, otherCookie(ctx, config, 'device'), value, maxAgeSeconds);

// `ctx.cookies.set` is not usable here. Behind a proxy that terminates TLS, it throws for a Secure cookie if
// `app.proxy` is not set.
function setCookie(
  ctx: Context,
  config: Configuration,
  name: string,
  value: string,
  maxAgeSeconds?: number,
): void {
  const { cookies, rpId } = config;
  const domain = cookieDomainFor(cookies, rpId, factsOf(ctx));
  const attributes = [
    'Path=/',
    ...(domain === null ? [] : [`Domain=${domain}`]),
    'HttpOnly',
    `SameSite=${sameSite[cookies.sameSite]}`,
    ...(isHttps(config) ? ['Secure'] : []),
    ...(cookies.partitioned ? ['Partitioned'] : []),
    ...(maxAgeSeconds === undefined ? [] : [`Max-Age=${maxAgeSeconds}`]),
  ];
  ctx.append('Set-Cookie', [`${name}=${value}`, ...attributes].join('; '));
}

const sameSite = { lax: 'Lax', strict: 'Strict', none: 'None' } as const;
