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
  const { pwnedPassword } = await import('hibp');
  try {
    const options = { baseUrl: breachedPasswordsUrl, addPadding: true, timeoutMs: longestWait };
    return (await pwnedPassword(password, { ...options, userAgent: 'latchkey' })) > 0;
  } catch (error) {
    log.warn({ err: error }, 'breached passwords could not be looked up; the password was let pass');
    return false;
  }
}
