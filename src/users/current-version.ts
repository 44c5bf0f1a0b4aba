import { AuthError } from '../core/errors.ts';

/** What an attempt gives where somebody else changed the account between its reading and its writing. */
export const overtaken = Symbol('overtaken');

// Each lost race means that another change of the same account won; nobody makes a hundred of them at once.
const attempts = 100;

/**
 * Repeats an attempt that reads an account, decides, and writes where its version is still the same, until nobody was
 * faster.
 *
 * @throws AuthError `unavailable` where the account keeps changing
 */
export async function onCurrentVersion<T>(attempt: () => Promise<T | typeof overtaken>): Promise<T> {
  for (let made = 0; made < attempts; made += 1) {
    const result = await attempt();
    if (result !== overtaken) return result;
  }
  throw new AuthError('unavailable', { detail: 'the account kept changing' });
}
