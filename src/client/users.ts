import type {
  FieldValuesOfUser,
  NoServiceTypes,
  OwnFieldDefinitions,
  WithFieldsOfUser,
} from './own-fields.ts';
import { expectParts, type Send, unwrap, withQuery } from './requests.ts';
import type { ManagedUser, RecoveryLink, Role, User } from './types.ts';
import type { UserFilters, UserPage } from './user-list.ts';
import type { UserRecord } from './user-record.ts';

/**
 * Management of other users' accounts. Superadmins see every account. Admins see only members of organizations where
 * they are organization admins. If an admin calls `get`, `createRecoveryLink`, `endSessions` or `endSession` for an
 * account that the admin does not see, the call rejects with `not_found`.
 */
export interface UsersClient<Fields extends OwnFieldDefinitions = NoServiceTypes['userFields']> {
  /**
   * Lists users. Sorted by username, if `sort` is absent. Needs fresh authentication. The cursor of a page works only
   * with the same `search`, `sort` and `order`.
   *
   * @throws AuthClientError `forbidden`, also if an admin sorts or filters by sign-ins or passkeys
   * @example
   * const { users, total } = await auth.users.list({ search: 'smith', sort: 'lastSignIn', include: ['total'] });
   */
  list(filters?: UserFilters, options?: { signal?: AbortSignal }): Promise<UserPage>;
  /**
   * Returns one user, with the own fields that the caller can read. Needs fresh authentication.
   *
   * @throws AuthClientError `forbidden` | `not_found`
   */
  get(id: string): Promise<WithFieldsOfUser<ManagedUser, Fields>>;
  /**
   * Returns one user, with the sign-in methods, the live sessions, the organizations and the pending recovery link, and
   * with what the caller can do with the user. Needs fresh authentication.
   *
   * @throws AuthClientError `forbidden` | `not_found`
   * @example
   * const { user, details, actions } = await auth.users.getDetails(id);
   */
  getDetails(id: string): Promise<UserRecord<Fields>>;
  /**
   * Changes the display name and the own fields of a user. Absent values do not change. Null removes a value. The caller
   * needs the same rights over the user as for `createRecoveryLink`. Needs fresh authentication.
   *
   * @throws AuthClientError `forbidden` if the caller does not have these rights | `not_found` | `invalid_request`
   */
  update(
    id: string,
    changes: { displayName?: string | null | undefined; fields?: FieldValuesOfUser<Fields> | undefined },
  ): Promise<WithFieldsOfUser<User, Fields>>;
  /**
   * Changes the username of a user, if the service allows admins to do this. The caller needs the same rights over the
   * user as for `createRecoveryLink`. Needs fresh authentication.
   *
   * @throws AuthClientError `forbidden` | `not_found` | `username_taken` | `username_unacceptable` |
   *   `too_many_usernames` | `sign_up_refused`
   */
  rename(id: string, username: string): Promise<User>;
  /**
   * Changes a user's role. The new role applies from the user's next request. For superadmins. Needs fresh
   * authentication.
   *
   * @throws AuthClientError `forbidden` | `not_found` | `last_superadmin`: give another user the role `superadmin`
   *   first
   */
  changeRole(id: string, role: Role): Promise<User>;
  /**
   * Disables an account. Ends its sessions and blocks sign-in until a superadmin enables the account. For superadmins.
   * Needs fresh authentication.
   *
   * @param options.reason 1 to 200 characters, for superadmins and the audit log; the user and admins cannot read it
   * @throws AuthClientError `forbidden` | `not_found` | `last_superadmin`: give another user the role `superadmin`
   *   first | `invalid_request`
   */
  disable(id: string, options?: { reason?: string | undefined }): Promise<User>;
  /**
   * Enables a disabled account. For superadmins. Needs fresh authentication.
   *
   * @throws AuthClientError `forbidden` | `not_found`
   */
  enable(id: string): Promise<User>;
  /**
   * Creates a single-use recovery link for a user. The link is shown only once and replaces an earlier link. Needs
   * fresh authentication.
   *
   * Superadmins can create a link for every user except themselves. Admins can create a link only for a user with the
   * role `user` who is not an organization admin. The admin must also be an organization admin of every organization
   * that the user belongs to.
   *
   * @throws AuthClientError `forbidden` if the caller does not have these rights | `not_found` | `account_disabled`
   */
  createRecoveryLink(id: string): Promise<RecoveryLink>;
  /**
   * Ends every session of a user. Returns how many sessions ended. The caller needs the same rights over the user as
   * for `createRecoveryLink`. Needs fresh authentication.
   *
   * @throws AuthClientError `forbidden` if the caller does not have these rights | `not_found`
   */
  endSessions(id: string): Promise<number>;
  /**
   * Ends one session of a user, such as a stolen session. The caller needs the same rights over the user as for
   * `createRecoveryLink`. Needs fresh authentication. Only callers who can see all users get the ids of sessions from
   * `getDetails`.
   *
   * @throws AuthClientError `forbidden` if the caller does not have these rights | `not_found`, also if the session has
   *   ended
   * @example
   * const { details } = await auth.users.getDetails(id);
   * for (const session of details?.sessions ?? []) await auth.users.endSession(id, session.id);
   */
  endSession(id: string, sessionId: string): Promise<void>;
  /**
   * Permanently deletes an account. The username stays taken. For superadmins. Needs fresh authentication.
   *
   * @throws AuthClientError `forbidden` | `not_found` | `last_superadmin`: give another user the role `superadmin`
   *   first | `still_referenced`: delete the data of the application that depends on the user first
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
  async getDetails(id) {
    const answer = await send('GET', withQuery(of(id), { include: 'details' }));
    return expectParts<UserRecord>(answer, 'user', 'details', 'actions');
  },
  async update(id, { displayName, fields }) {
    return unwrap(await send('PATCH', of(id), { body: { displayName, fields } }), 'user');
  },
  async rename(id, username) {
    return unwrap(await send('PUT', `${of(id)}/username`, { body: { username } }), 'user');
  },
  async changeRole(id, role) {
    return unwrap(await send('PUT', `${of(id)}/role`, { body: { role } }), 'user');
  },
  async disable(id, { reason } = {}) {
    return unwrap(
      await send('POST', `${of(id)}/disable`, {
        ...(reason !== undefined && { body: { reason } }),
      }),
      'user',
    );
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
  async endSession(id, sessionId) {
    await send('DELETE', `${of(id)}/sessions/${encodeURIComponent(sessionId)}`);
  },
  async delete(id) {
    await send('DELETE', of(id));
  },
});
