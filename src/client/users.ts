import { expectParts, type Send, unwrap, withQuery } from './requests.ts';
import type { Page, PageRequest, RecoveryLink, Role, User } from './types.ts';

export interface UserFilters extends PageRequest {
  /** How the username or the display name begins. */
  query?: string | undefined;
  role?: Role | undefined;
  status?: User['status'] | undefined;
}

export interface UserPage extends Page {
  users: User[];
}

/**
 * Other people's accounts: for a superadmin everybody's, for an administrator those of the members of the
 * organizations whose admin they are. Anybody else's is `not_found`.
 */
export interface UsersClient {
  /** A page of them, by username. */
  list(filters?: UserFilters, options?: { signal?: AbortSignal }): Promise<UserPage>;
  get(id: string): Promise<User>;
  /**
   * Effective at that person's next request. For superadmins. Needs fresh authentication.
   *
   * @throws AuthClientError `last_superadmin`
   */
  changeRole(id: string, role: Role): Promise<User>;
  /**
   * Ends every session of the account and lets nobody in until it is enabled. For superadmins. Needs fresh
   * authentication.
   *
   * @throws AuthClientError `last_superadmin`
   */
  disable(id: string): Promise<User>;
  /** For superadmins. Needs fresh authentication. */
  enable(id: string): Promise<User>;
  /**
   * Makes a link that lets somebody back into their account, shown this once; it voids an earlier one. For people
   * of a lower role, or among superadmins. Needs fresh authentication.
   *
   * @throws AuthClientError `forbidden` where their role is too high | `account_disabled`
   */
  createRecoveryLink(id: string): Promise<RecoveryLink>;
  /**
   * Signs somebody out everywhere; gives how many sessions there were. For people of a lower role, or among
   * superadmins. Needs fresh authentication.
   *
   * @throws AuthClientError `forbidden` where their role is too high
   */
  endSessions(id: string): Promise<number>;
  /**
   * Deletes an account for ever; its username stays taken. For superadmins. Needs fresh authentication.
   *
   * @throws AuthClientError `last_superadmin`
   */
  remove(id: string): Promise<void>;
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
  async remove(id) {
    await send('DELETE', of(id));
  },
});
