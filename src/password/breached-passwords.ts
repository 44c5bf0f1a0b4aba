import { createHash } from 'node:crypto';
import { second } from '../core/duration.ts';
import type { Runtime } from '../core/runtime.ts';

const timeoutMs = 2 * second;

/**
 * Asks the service at BREACHED_PASSWORDS_URL whether a password is known from a data breach. Returns false if no URL is
 * configured.
 *
 * The service does not learn the password (k-anonymity). It receives the first five characters of the SHA-1 digest, and
 * returns all digests with this prefix. If the service fails or does not respond within two seconds, the password is
 * accepted, because an outage of the service must not prevent users from changing their passwords.
 */
export async function isBreached(
  { config: { breachedPasswordsUrl }, log }: Runtime,
  password: string,
): Promise<boolean> {
  if (breachedPasswordsUrl === null) return false;
  const { pwnedPasswordRange } = await import('hibp');
  const digest = createHash('sha1').update(password).digest('hex').toUpperCase();
  try {
    const options = { baseUrl: breachedPasswordsUrl, addPadding: true, timeoutMs };
    const range = await pwnedPasswordRange(digest.slice(0, 5), { ...options, userAgent: 'latchkey' });
    const isList = Object.entries(range).every(
      ([suffix, count]) => /^[\dA-F]{35}$/.test(suffix) && count >= 0,
    );
    if (!isList) throw new Error('the response is not a list of digests');
    return (range[digest.slice(5)] ?? 0) > 0;
  } catch (error) {
    log.warn(
      { err: error },
      'cannot look up breached passwords, so the password was accepted without this check',
    );
    return false;
  }
}
