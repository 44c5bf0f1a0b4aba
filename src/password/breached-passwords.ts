import { createHash } from 'node:crypto';
import { second } from '../core/duration.ts';
import type { Runtime } from '../core/runtime.ts';

const longestWait = 2 * second;

/**
 * Whether a password is known from a breach, where somebody is to be asked (BREACHED_PASSWORDS_URL).
 *
 * The service is sent the first five characters of the SHA-1 digest and answers every digest that begins so, so it
 * does not learn which was meant (k-anonymity). Without an answer within two seconds the password passes: an outage
 * elsewhere must not keep people from changing theirs.
 */
export async function isBreached(
  { config: { breachedPasswordsUrl }, log }: Runtime,
  password: string,
): Promise<boolean> {
  if (breachedPasswordsUrl === null) return false;
  const { pwnedPasswordRange } = await import('hibp');
  const digest = createHash('sha1').update(password).digest('hex').toUpperCase();
  try {
    const options = { baseUrl: breachedPasswordsUrl, addPadding: true, timeoutMs: longestWait };
    const range = await pwnedPasswordRange(digest.slice(0, 5), { ...options, userAgent: 'latchkey' });
    const isList = Object.entries(range).every(
      ([suffix, count]) => /^[\dA-F]{35}$/.test(suffix) && count >= 0,
    );
    if (!isList) throw new Error('the answer is no list of digests');
    return (range[digest.slice(5)] ?? 0) > 0;
  } catch (error) {
    log.warn({ err: error }, 'breached passwords could not be looked up; the password was let pass');
    return false;
  }
}
