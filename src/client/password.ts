import { type Send, unwrap } from './requests.ts';
import type { User } from './types.ts';

/** The password of the account: an optional fallback to passkeys. */
export interface PasswordClient {
  /**
   * Sets or replaces the password and ends all other sessions. Needs fresh authentication.
   *
   * @throws AuthClientError `password_unacceptable`. Its `reason` is `too_short` (under 8 characters), `too_long` (over
   *   72 bytes of UTF-8), `malformed`, `common` or `breached`.
   */
  set(password: string): Promise<User>;
  /**
   * Removes the password and ends all other sessions. Needs fresh authentication.
   *
   * @throws AuthClientError `not_found` if there is no password | `last_credential` if it is the only credential of the
   *   account
   */
  remove(): Promise<void>;
}

export const passwordClient = (send: Send): PasswordClient => ({
  async set(password) {
    return unwrap(await send('POST', '/password/add', { body: { password } }), 'user');
  },
  async remove() {
    await send('DELETE', '/password/remove');
  },
});
