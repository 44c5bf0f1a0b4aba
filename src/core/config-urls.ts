import type { FaultList, Given } from './config-fault.ts';
import { urlOfEachHost } from './database-url.ts';
import { parseRedisUrl } from './redis-url.ts';

/** @param hint a text to append to the expected form if the URL is missing */
export function readDatabaseUrl(faults: FaultList, { name, text }: Given, hint = ''): string | null {
  const urls = text === undefined ? [] : urlOfEachHost(text);
  if (text === undefined || !urls.every(isDatabaseUrl)) {
    faults.addSecret(
      name,
      text,
      `postgresql://user:password@host:port/database, or several hosts: postgresql://user:password@host1:port,host2:port/database${text === undefined ? hint : ''}`,
    );
  } else if (!urls.every(wantsPrimary)) {
    faults.addSecret(
      name,
      text,
      'target_session_attrs=primary, or a URL without target_session_attrs. Latchkey uses only the primary. ' +
        'The value read-write also accepts standbys (PostgreSQL 14 and later)',
    );
  }
  return text ?? null;
}

export function readMigrationDatabaseUrl(faults: FaultList, given: Given): string | null {
  return given.text === undefined ? null : readDatabaseUrl(faults, given);
}

function wantsPrimary(url: string): boolean {
  const wanted = new URL(url).searchParams.get('target_session_attrs');
  return wanted === null || wanted === 'primary';
}

function isDatabaseUrl(text: string): boolean {
  if (!/^postgres(ql)?:\/\//.test(text) || !URL.canParse(text)) return false;
  const { username, password, pathname } = new URL(text);
  try {
    // Drivers decode these parts. Decoding throws an error if a part contains an unescaped %.
    decodeURIComponent(`${username}${password}${pathname}`);
    return true;
  } catch {
    return false;
  }
}

export function readRedisUrl(faults: FaultList, { name, text }: Given): string | null {
  if (text !== undefined && parseRedisUrl(text) === null) {
    faults.addSecret(
      name,
      text,
      'redis://host:port, redis+sentinel://host1:port,host2:port/name-of-the-primary or ' +
        'redis+cluster://host1:port,host2:port (with TLS: rediss instead of redis)',
    );
  }
  return text ?? null;
}

export function readBreachedPasswordsUrl(faults: FaultList, { name, text }: Given): string | null {
  if (text !== undefined && !(/^https?:\/\//.test(text) && URL.canParse(text))) {
    // The URL can contain credentials.
    faults.addSecret(name, text, 'an https or http URL, such as https://api.pwnedpasswords.com');
  }
  return text?.replace(/\/+$/, '') ?? null;
}

/** Reads a page of the application: a path on the first origin, or a URL on any of the origins. */
export function readPage(
  faults: FaultList,
  { name, text }: Given,
  byDefault: string,
  origins: readonly [string, ...string[]],
): string {
  const given = text ?? byDefault;
  // `faults` already contains the invalid origin.
  if (!URL.canParse(origins[0])) return given;
  const page = URL.canParse(given, origins[0]) ? new URL(given, origins[0]) : null;
  // The fragment of a link holds the token.
  const isBare = page !== null && !page.href.includes('#') && `${page.username}${page.password}` === '';
  if (isBare && origins.includes(page.origin)) return page.href;
  faults.add(name, given, `a path, or a URL on ${origins.join(' or ')}, without a fragment`);
  return origins[0];
}
