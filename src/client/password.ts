import { type Send, unwrap } from './requests.ts';
import type { User } from './types.ts';

/** The password of the account, an optional alternative to passkeys. */
export interface PasswordClient {
  /**
   * Sets or replaces the password and ends all other sessions. Needs fresh authentication.
   *
   * @throws AuthClientError `password_unacceptable`, whose `reason` is `too_short` (fewer than 8 characters, or than the
   *   service's `passwordMinLength`), `too_long` (more than 128 characters), `malformed`, `common` or `breached`
   */
  set(password: string): Promise<User>;
  /**
   * Removes the password and ends all other sessions. Needs fresh authentication.
   *
   * @throws AuthClientError `not_found` if the account has no password | `last_credential` if the account has no
   *   passkey
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
