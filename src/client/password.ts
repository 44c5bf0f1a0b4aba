import { type Send, unwrap } from './requests.ts';
import type { User } from './types.ts';

/** The password of whoever is signed in: a fallback beside passkeys, which an account need not have. */
export interface PasswordClient {
  /**
   * Gives the account a password, or another one in place of the one it has. Needs fresh authentication.
   *
   * @throws AuthClientError `password_unacceptable`, its `reason` one of `too_short` (under 8 characters),
   *   `too_long` (over 72 bytes of UTF-8), `malformed`, `common` and `breached`
   */
  set(password: string): Promise<User>;
  /**
   * Takes the password away. Needs fresh authentication.
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
