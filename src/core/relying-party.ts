import type { FaultList, Given } from './config-fault.ts';
import { readList } from './config-values.ts';

const domain = /^(?=.{1,253}$)[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)*$/;

/** Reads the relying party id: a domain (WebAuthn Level 3, 5.1.2). `localhost` is allowed only in development. */
export function readRpId(faults: FaultList, { name, text }: Given, production: boolean): string {
  const expected = 'the domain that passkeys are bound to, such as example.com, without scheme or port';
  if (text === undefined) {
    if (production) faults.add(name, text, expected);
    return 'localhost';
  }
  if (!domain.test(text)) faults.add(name, text, expected);
  else if (production && text === 'localhost') {
    faults.add(name, text, `${expected}; localhost is for development only`);
  } else if (/^[\d.]+$/.test(text)) faults.add(name, text, `${expected}; not an IP address`);
  return text;
}

/**
 * Reads the origins of the pages. The first origin must belong to the relying party id. All others are related origins.
 */
export function readOrigins(
  faults: FaultList,
  { name, text }: Given,
  { rpId, rpIdName, production, port }: { rpId: string; rpIdName: string; production: boolean; port: number },
): readonly [string, ...string[]] {
  const given = readList(text);
  // `origin` omits port 80, as browsers do.
  const byDefault = new URL(`http://localhost:${port}`).origin;
  if (given.length === 0) {
    if (production) faults.add(name, undefined, `https://${rpId}`);
    else if (rpId !== 'localhost') {
      faults.add(name, undefined, `the https origin of the pages, because ${rpIdName} is ${rpId}`);
    }
    return [byDefault];
  }
  const origins = given.map((origin) => readOrigin(faults, name, origin, production));
  const first = origins[0] ?? byDefault;
  const host = URL.canParse(first) ? new URL(first).hostname : rpId;
  if (host !== rpId && !host.endsWith(`.${rpId}`)) {
    faults.add(name, first, `an origin whose host is ${rpId} (${rpIdName}) or a subdomain of it`);
  }
  return [first, ...origins.slice(1)];
}

function readOrigin(faults: FaultList, name: string, given: string, production: boolean): string {
  const url = URL.canParse(given) ? new URL(given) : null;
  const bare = /^[a-z]+:\/\/[^\s/?#@*\\]+\/?$/i.test(given);
  const plainLocalhost = url?.protocol === 'http:' && url.hostname === 'localhost';
  if (url === null || !bare) {
    faults.add(name, given, 'scheme, host and port only, such as https://example.com');
  } else if (url.protocol !== 'https:' && !(plainLocalhost && !production)) {
    faults.add(name, given, 'https (http is allowed only for http://localhost in development)');
  }
  return url?.origin ?? given;
}
