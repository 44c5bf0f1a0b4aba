import type { FaultList } from './config-fault.ts';

const domain = /^(?=.{1,253}$)[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)*$/;

/** WEBAUTHN_RP_ID: a domain. `localhost` serves development and nothing else. */
export function readRpId(faults: FaultList, given: string | undefined, production: boolean): string {
  const expected = 'the domain passkeys are bound to, such as example.com, without scheme or port';
  if (given === undefined) {
    if (production) faults.add('WEBAUTHN_RP_ID', given, expected);
    return 'localhost';
  }
  if (!domain.test(given)) faults.add('WEBAUTHN_RP_ID', given, expected);
  else if (production && given === 'localhost') {
    faults.add('WEBAUTHN_RP_ID', given, `${expected}; localhost is for development only`);
  } else if (/^[\d.]+$/.test(given))
    faults.add('WEBAUTHN_RP_ID', given, `${expected}; an IP address cannot hold passkeys`);
  return given;
}

/** WEBAUTHN_RP_ORIGIN: scheme, host and port of the pages; the first under the RP id, the further ones related. */
export function readOrigins(
  faults: FaultList,
  given: readonly string[],
  rpId: string,
  production: boolean,
  port: number,
): readonly [string, ...string[]] {
  // As browsers write it: port 80 goes without saying.
  const byDefault = new URL(`http://localhost:${port}`).origin;
  if (given.length === 0) {
    if (production) faults.add('WEBAUTHN_RP_ORIGIN', undefined, `https://${rpId}`);
    else if (rpId !== 'localhost') {
      faults.add(
        'WEBAUTHN_RP_ORIGIN',
        undefined,
        `the https origin of the pages, since WEBAUTHN_RP_ID is ${rpId}`,
      );
    }
    return [byDefault];
  }
  const origins = given.map((origin) => readOrigin(faults, origin, production));
  const first = origins[0] ?? byDefault;
  const host = URL.canParse(first) ? new URL(first).hostname : rpId;
  if (host !== rpId && !host.endsWith(`.${rpId}`)) {
    faults.add(
      'WEBAUTHN_RP_ORIGIN',
      first,
      `an origin whose host is ${rpId} or lies under it (WEBAUTHN_RP_ID)`,
    );
  }
  return [first, ...origins.slice(1)];
}

function readOrigin(faults: FaultList, given: string, production: boolean): string {
  const url = URL.canParse(given) ? new URL(given) : null;
  const bare = /^[a-z]+:\/\/[^\s/?#@*\\]+\/?$/i.test(given);
  const plainLocalhost = url?.protocol === 'http:' && url.hostname === 'localhost';
  if (url === null || !bare) {
    faults.add('WEBAUTHN_RP_ORIGIN', given, 'scheme, host and port only, such as https://example.com');
  } else if (url.protocol !== 'https:' && !(plainLocalhost && !production)) {
    faults.add(
      'WEBAUTHN_RP_ORIGIN',
      given,
      'https (browsers allow plain http for http://localhost in development only)',
    );
  }
  return url?.origin ?? given;
}
