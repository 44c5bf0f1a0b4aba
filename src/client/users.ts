import { expectParts, type Send, unwrap, withQuery } from './requests.ts';
import type { Page, PageRequest, RecoveryLink, Role, User } from './types.ts';

/** Filters of the list of users. */
export interface UserFilters extends PageRequest {
  /** The beginning of the username or the display name. */
  query?: string | undefined;
  role?: Role | undefined;
  status?: User['status'] | undefined;
}

/** One page of users. */
export type UserPage = Page<'users', User>;

/**
 * Administration of other users' accounts. Superadmins see every account. Admins see the members of the organizations
 * they manage; calls about any other account reject with `not_found`.
 */
export interface UsersClient {
  /**
   * Lists users, sorted by username.
   *
   * @throws AuthClientError `forbidden`
   * @example
   * const { users } = await auth.users.list({ query: 'ada', status: 'active' });
   */
  list(filters?: UserFilters, options?: { signal?: AbortSignal }): Promise<UserPage>;
  /**
   * Returns one user.
   *
   * @throws AuthClientError `forbidden` | `not_found`
   */
  get(id: string): Promise<User>;
  /**
   * Changes a user's role. Takes effect on the user's next request. For superadmins. Needs fresh authentication.
   *
   * @throws AuthClientError `forbidden` | `not_found` | `last_superadmin`: make another user a superadmin first
   */
  changeRole(id: string, role: Role): Promise<User>;
  /**
   * Disables an account: ends its sessions and blocks sign-in until it is enabled. For superadmins. Needs fresh
   * authentication.
   *
   * @throws AuthClientError `forbidden` | `not_found` | `last_superadmin`: make another user a superadmin first
   */
  disable(id: string): Promise<User>;
  /**
   * Enables a disabled account. For superadmins. Needs fresh authentication.
   *
   * @throws AuthClientError `forbidden` | `not_found`
   */
  enable(id: string): Promise<User>;
  /**
   * Creates a single-use recovery link for a user. The link is shown only once and replaces an earlier one. Needs fresh
   * authentication.
   *
   * Superadmins can help every other user. Admins can help users with the role `user` who are admin of no organization,
   * if the caller manages every organization that the user belongs to.
   *
   * @throws AuthClientError `forbidden` if the caller cannot help this user | `not_found` | `account_disabled`
   */
  createRecoveryLink(id: string): Promise<RecoveryLink>;
  /**
   * Ends every session of a user. Returns how many were ended. For the same callers as `createRecoveryLink`. Needs
   * fresh authentication.
   *
   * @throws AuthClientError `forbidden` if the caller cannot help this user | `not_found`
   */
  endSessions(id: string): Promise<number>;
  /**
   * Deletes an account permanently. Its username stays taken. For superadmins. Needs fresh authentication.
   *
   * @throws AuthClientError `forbidden` | `not_found` | `last_superadmin`: make another user a superadmin first
   */
  delete(id: string): Promise<void>;
}

const path = '/admin/users';
const of = (id: string) => `${path}/${encodeURIComponent(id)}`;

export const usersClient = (send: Send): UsersClient => ({
  async list(filters = {}, { signal } = {}) {
    return expectParts<UserPage>(
      await send('GET', withQuery(path, filters), { signal }),
      'users',
      'nextCursor',
    );
  },
  async get(id) {
    return unwrap(await send('GET', of(id)), 'user');
  },
  async changeRole(id, role) {
    return unwrap(await send('PUT', `${of(id)}/role`, { body: { role } }), 'user');
  },
  async disable(id) {
    return unwrap(await send('POST', `${of(id)}/disable`), 'user');
  },
  async enable(id) {
    return unwrap(await send('POST', `${of(id)}/enable`), 'user');
  },
  async createRecoveryLink(id) {
    return expectParts<RecoveryLink>(await send('POST', `${of(id)}/recovery`), 'token', 'url', 'expiresAt');
  },
  async endSessions(id) {
    return unwrap(await send('DELETE', `${of(id)}/sessions`), 'ended');
  },
  async delete(id) {
    await send('DELETE', of(id));
  },
});
