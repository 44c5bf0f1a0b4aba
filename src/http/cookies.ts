import { randomBytes } from 'node:crypto';
import type { Context } from 'koa';
import type { Configuration } from '../core/config.ts';
import { cookieDomainFor, cookieNameFor } from '../core/config-cookies.ts';
import type { RequestFacts } from '../core/request-facts.ts';
import { factsOf } from './request-source.ts';

const isHttps = ({ origins }: Pick<Configuration, 'origins'>) => origins[0].startsWith('https:');

type CookieConfiguration = Pick<Configuration, 'origins' | 'cookies' | 'rpId'>;

/**
 * Browsers accept a `__Host-` cookie only if it is Secure, has no Domain and has the path `/` (RFC 6265bis). They accept a
 * `__Secure-` cookie only if it is Secure.
 */
function prefixFor(config: CookieConfiguration, request: RequestFacts): string {
  if (!isHttps(config)) return '';
  return cookieDomainFor(config.cookies, config.rpId, request) === null ? '__Host-' : '__Secure-';
}

/** Returns the name of the session cookie of a request. */
export const sessionCookieName = (config: CookieConfiguration, request: RequestFacts): string =>
  `${prefixFor(config, request)}${cookieNameFor(config.cookies, request)}`;

/**
 * Returns the name of the session cookie if it is the same for all requests.
 *
 * @throws TypeError if `cookies.name` or `cookies.domain` is a function
 */
export function fixedSessionCookieName(config: CookieConfiguration): string {
  if (hasFixedCookieName(config)) return sessionCookieName(config, noRequest);
  throw new TypeError(
    'sessionCookieName: cookies.name or cookies.domain is a function, so the name differs between requests',
  );
}

/** Whether the session cookie has the same name in all requests. */
export const hasFixedCookieName = ({ cookies }: CookieConfiguration): boolean =>
  typeof cookies.name !== 'function' && typeof cookies.domain !== 'function';

const noRequest: RequestFacts = { method: null, path: '', header: () => '' };

const otherCookie = (ctx: Context, config: Configuration, ending: 'binding' | 'device'): string =>
  `${sessionCookieName(config, factsOf(ctx))}-${ending}`;

/** Returns the session token in the cookies of a request, or null. Does not check whether the token is valid. */
export const sessionCookieIn = (request: RequestFacts, config: CookieConfiguration): string | null =>
  cookieIn(request.header('cookie'), sessionCookieName(config, request)) || null;

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
): void => setCookie(ctx, config, sessionCookieName(config, factsOf(ctx)), token, maxAgeSeconds);

export const clearSessionCookie = (ctx: Context, config: Configuration): void =>
  setCookie(ctx, config, sessionCookieName(config, factsOf(ctx)), '', 0);

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
