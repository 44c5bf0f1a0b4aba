import { type Send, unwrap } from './requests.ts';
import type { ListedSession } from './types.ts';

/** The sessions of the signed-in user. */
export interface SessionsClient {
  /** Lists the sessions of the account that have not expired, most recently used first. */
  list(): Promise<ListedSession[]>;
  /**
   * Ends one session. Ending the current session is the same as `signOut`.
   *
   * @throws AuthClientError `not_found`
   */
  end(id: string): Promise<void>;
  /** Ends every session except the current session. Returns how many sessions ended. */
  endOthers(): Promise<number>;
}

export const sessionsClient = (send: Send): SessionsClient => ({
  async list() {
    return unwrap(await send('GET', '/sessions'), 'sessions');
  },
  async end(id) {
    await send('DELETE', `/sessions/${encodeURIComponent(id)}`);
  },
  async endOthers() {
    return unwrap(await send('DELETE', '/sessions'), 'ended');
  },
});
