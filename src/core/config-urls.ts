import type { FaultList } from './config-fault.ts';

export function readDatabaseUrl(
  faults: FaultList,
  text: (variable: string, given?: string) => string | undefined,
  given: unknown,
): string | null {
  if (given !== undefined && typeof given !== 'string') return null;
  const url = text('DATABASE_URL', given);
  if (url === undefined || !isDatabaseUrl(url)) {
    faults.addSecret('DATABASE_URL', url, 'postgresql://user:password@host:port/database');
  }
  return url ?? null;
}

/** Whether a driver can read it: a name or password with a stray % cannot be decoded. */
function isDatabaseUrl(text: string): boolean {
  if (!/^postgres(ql)?:\/\//.test(text) || !URL.canParse(text)) return false;
  const { username, password, pathname } = new URL(text);
  try {
    decodeURIComponent(`${username}${password}${pathname}`);
    return true;
  } catch {
    return false;
  }
}

export function readRedisUrl(faults: FaultList, given: string | undefined): string | null {
  if (given !== undefined && !(/^rediss?:\/\//.test(given) && URL.canParse(given))) {
    faults.addSecret('REDIS_URL', given, 'redis://host:port or rediss://host:port');
  }
  return given ?? null;
}

export function readBreachedPasswordsUrl(faults: FaultList, given: string | undefined): string | null {
  if (given !== undefined && !(/^https?:\/\//.test(given) && URL.canParse(given))) {
    // It may hold the credentials of a mirror.
    faults.addSecret(
      'BREACHED_PASSWORDS_URL',
      given,
      'an https or http URL, such as https://api.pwnedpasswords.com',
    );
  }
  return given?.replace(/\/+$/, '') ?? null;
}

/** A page of the application, by its path under the first origin or by its whole address on one of them. */
export function readPage(
  faults: FaultList,
  option: string,
  given: string,
  origins: readonly [string, ...string[]],
): string {
  // A fault of its own, which is listed already.
  if (!URL.canParse(origins[0])) return given;
  const page = URL.canParse(given, origins[0]) ? new URL(given, origins[0]) : null;
  const isBare = page !== null && !page.href.includes('#') && `${page.username}${page.password}` === '';
  if (isBare && origins.includes(page.origin)) return page.href;
  faults.add(option, given, `a path, or a URL on ${origins.join(' or ')}, without a fragment`);
  return origins[0];
}
