import { type Send, unwrap } from './requests.ts';
import type { User } from './types.ts';

/** The password of the account: an optional fallback beside passkeys. */
export interface PasswordClient {
  /**
   * Sets the password of the account, or replaces it, and ends all other sessions. Needs fresh authentication.
   *
   * @throws AuthClientError `password_unacceptable`, its `reason` one of `too_short` (under 8 characters),
   *   `too_long` (over 72 bytes of UTF-8), `malformed`, `common` and `breached`
   */
  set(password: string): Promise<User>;
  /**
   * Removes the password and ends all other sessions. Needs fresh authentication.
   *
   * @throws AuthClientError `not_found` where there is none | `last_credential` where it is the last way in
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
