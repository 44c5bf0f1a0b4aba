import type { Configuration } from '../core/config.ts';
import { cookieDomainFor, cookieNameFor } from '../core/config-cookies.ts';
import type { RequestFacts } from '../core/request-facts.ts';

export const isHttps = ({ origins }: Pick<Configuration, 'origins'>) => origins[0].startsWith('https:');

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

/** Returns the session token in the cookies of a request, or null. Does not check whether the token is valid. */
export const sessionCookieIn = (request: RequestFacts, config: CookieConfiguration): string | null =>
  cookieIn(request.header('cookie'), sessionCookieName(config, request)) || null;

/**
 * Returns the value of the first cookie with this name in a Cookie header (RFC 6265, 4.2.1), or null.
 *
 * Ignores only spaces and tabs before a name, as browsers do. A subdomain can set a cookie whose name is a no-break
 * space followed by `__Host-latchkey`, because browsers do not protect this name. Such a cookie must have no effect.
 */
export function cookieIn(header: string, name: string): string | null {
  for (const pair of header.split(';')) {
    const cookie = pair.replace(/^[ \t]+/, '');
    if (cookie.startsWith(`${name}=`)) return cookie.slice(name.length + 1);
  }
  return null;
}
