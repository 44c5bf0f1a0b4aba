import { expectParts, type Send } from './requests.ts';
import type { SignedIn } from './types.ts';

/**
 * Sessions as another user, for support. Needs the option `impersonation` of the service. In such a session,
 * `session()` returns the other user, and `session.impersonator`. `signOut()` ends the impersonation. After that, no
 * user is signed in.
 */
export interface ImpersonationClient {
  /**
   * Opens a session as a user with a lower role. It replaces the session of this browser and ends after an hour. For
   * superadmins. Needs fresh authentication.
   *
   * @param userId the id of the user
   * @param options.reason why the impersonation is necessary, for the audit log: 1 to 200 characters
   * @throws AuthClientError `forbidden` | `not_found` | `account_disabled` | `impersonating` in an impersonated session
   */
  start(userId: string, options: { reason: string }): Promise<SignedIn>;
  /**
   * Opens a session as a user with the single-use link of an operator. It replaces the session of this browser.
   *
   * @param token from the fragment of the link, `https://…/impersonate#token=…`
   * @throws AuthClientError `authentication_failed` for every link that does not work | `rate_limited`
   */
  useLink(token: string): Promise<SignedIn>;
}

export const impersonationClient = (send: Send): ImpersonationClient => ({
  async start(userId, { reason }) {
    const path = `/admin/users/${encodeURIComponent(userId)}/impersonation`;
    return expectParts<SignedIn>(await send('POST', path, { body: { reason } }), 'user', 'session');
  },
  async useLink(token) {
    return expectParts<SignedIn>(
      await send('POST', '/impersonation', { body: { token } }),
      'user',
      'session',
    );
  },
});
