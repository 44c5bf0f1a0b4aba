import { inspect } from 'node:util';
import type { FaultList } from './config-fault.ts';
import type { RequestFacts } from './request-facts.ts';
import { refuseUnknown } from './unknown-names.ts';

/** The option `cookies`. */
export interface CookieOptions {
  /**
   * The name of the session cookie, without its prefix: 1 to 64 letters, digits, `_` and `-`. The names of the
   * other cookies start with it. Default: `latchkey`. A function returns the name for each request.
   */
  name?: string | ((request: RequestFacts) => string);
  /**
   * The domain whose hosts get the cookies: the RP id, a parent domain or a subdomain of it. Default: only the host that
   * sets them. With a domain, the names start with `__Secure-` instead of `__Host-`, so every subdomain can
   * overwrite the cookies. A function returns the domain for each request, or undefined for no domain.
   */
  domain?: string | ((request: RequestFacts) => string | undefined);
  /**
   * `none`: browsers also send the cookies with requests of pages on other sites. Needs https origins. Use it only if
   * the pages and the service have no common registrable domain, such as `app.example.com` and `api.example.net`.
   * Default: `lax`.
   */
  sameSite?: 'lax' | 'strict' | 'none';
  /** Whether each top-level site gets its own cookies (CHIPS). Needs `sameSite: 'none'`. Default: `false`. */
  partitioned?: boolean;
}

/** The checked option `cookies`. */
export interface CookieSettings {
  readonly name: string | ((request: RequestFacts) => string);
  /** Null: no domain. */
  readonly domain: string | ((request: RequestFacts) => string | undefined) | null;
  readonly sameSite: 'lax' | 'strict' | 'none';
  readonly partitioned: boolean;
}

const sameSites = ['lax', 'strict', 'none'] as const;

const known = ['name', 'domain', 'sameSite', 'partitioned'];

const nameExpected =
  'a name of 1 to 64 letters, digits, _ and -, which does not start with __ and does not end with -binding or -device';

/** Reads the option `cookies`. */
export function readCookies(
  faults: FaultList,
  given: CookieOptions = {},
  { rpId, origins }: { rpId: string; origins: readonly [string, ...string[]] },
): CookieSettings {
  const { name = 'latchkey', domain = null, sameSite = 'lax', partitioned = false } = given;
  const fault = (option: keyof CookieOptions, value: unknown, expected: string) =>
    faults.add(`cookies.${option}`, typeof value === 'string' ? value : inspect(value), expected);
  refuseUnknown(faults, 'cookies', given, known);
  if (typeof name !== 'function' && !isCookieName(name)) fault('name', name, nameExpected);
  if (domain !== null && typeof domain !== 'function' && !isCookieDomain(domain, rpId))
    fault('domain', domain, domainExpected(rpId));
  if (!sameSites.includes(sameSite)) fault('sameSite', sameSite, sameSites.join(', '));
  if (typeof partitioned !== 'boolean') fault('partitioned', partitioned, 'true or false');
  if (sameSite === 'none' && !origins.every((origin) => origin.startsWith('https:')))
    fault('sameSite', sameSite, 'lax, because browsers accept none only with https, and an origin is http');
  if (partitioned === true && sameSite !== 'none')
    fault('partitioned', partitioned, "false, or true together with sameSite: 'none'");
  return { name, domain, sameSite, partitioned };
}

/**
 * Returns the name of the session cookie without its prefix.
 *
 * @throws TypeError if the function `cookies.name` returns an invalid name
 */
export function cookieNameFor({ name }: CookieSettings, request: RequestFacts): string {
  if (typeof name !== 'function') return name;
  const value = name(request);
  if (isCookieName(value)) return value;
  throw new TypeError(`cookies.name: expected ${nameExpected}, but the function returned ${shown(value)}`);
}

/**
 * Returns the domain of the cookies. Null: no domain.
 *
 * @throws TypeError if the function `cookies.domain` returns an invalid domain
 */
export function cookieDomainFor(
  { domain }: CookieSettings,
  rpId: string,
  request: RequestFacts,
): string | null {
  if (typeof domain !== 'function') return domain;
  const value = domain(request);
  if (value === undefined) return null;
  if (isCookieDomain(value, rpId)) return value;
  throw new TypeError(
    `cookies.domain: expected ${domainExpected(rpId)}, or undefined, but the function returned ${shown(value)}`,
  );
}

const shown = (value: unknown): string => inspect(value).slice(0, 100);

/** Rejects `-binding` and `-device` at the end, because the names of the other cookies end with them. */
const isCookieName = (name: unknown): boolean =>
  typeof name === 'string' && /^(?!__)[\w-]{1,64}$/.test(name) && !/-(?:binding|device)$/.test(name);

const domainExpected = (rpId: string): string =>
  `a domain that is ${rpId} (the RP id), a parent domain or a subdomain of it`;

const isCookieDomain = (domain: unknown, rpId: string): boolean =>
  typeof domain === 'string' &&
  /^(?=.{1,253}$)[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)*$/.test(domain) &&
  (domain === rpId || domain.endsWith(`.${rpId}`) || (domain.includes('.') && rpId.endsWith(`.${domain}`)));
