import type { FaultList, Given } from './config-fault.ts';
import { androidOrigin } from './config-native-apps.ts';
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

/** The origins that can use the passkeys. */
export interface Origins {
  /** The origins of pages. */
  origins: readonly [string, ...string[]];
  /** The origins of Android apps. Never the origin of a page. */
  appOrigins: readonly string[];
}

/**
 * Reads the origins of the pages and of Android apps. The first origin must belong to the relying party id. All others
 * are related origins.
 */
export function readOrigins(
  faults: FaultList,
  { name, text }: Given,
  { rpId, rpIdName, production, port }: { rpId: string; rpIdName: string; production: boolean; port: number },
): Origins {
  const list = readList(text);
  const appOrigins = list.filter((origin) => androidOrigin.test(origin));
  const given = list.filter((origin) => !androidOrigin.test(origin));
  // `origin` omits port 80, as browsers do.
  const byDefault = new URL(`http://localhost:${port}`).origin;
  if (given.length === 0) {
    if (production) faults.add(name, text, `https://${rpId}`);
    else if (rpId !== 'localhost') {
      faults.add(name, undefined, `the https origin of the pages, because ${rpIdName} is ${rpId}`);
    }
    return { origins: [byDefault], appOrigins };
  }
  const origins = given.map((origin) => readOrigin(faults, name, origin, production));
  const first = origins[0] ?? byDefault;
  const host = URL.canParse(first) ? new URL(first).hostname : rpId;
  if (host !== rpId && !host.endsWith(`.${rpId}`)) {
    faults.add(name, first, `an origin whose host is ${rpId} (${rpIdName}) or a subdomain of it`);
  }
  return { origins: [first, ...origins.slice(1)], appOrigins };
}

function readOrigin(faults: FaultList, name: string, given: string, production: boolean): string {
  if (given.startsWith('android:')) {
    faults.add(name, given, 'android:apk-key-hash: and the SHA-256 fingerprint in base64url (43 characters)');
    return given;
  }
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
