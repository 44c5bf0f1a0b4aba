import { type Send, unwrap } from './requests.ts';
import type { Session } from './types.ts';

/** The places where the account is signed in. */
export interface SessionsClient {
  list(): Promise<Session[]>;
  /** Ends one session; of the current one, the same as signing out. */
  end(id: string): Promise<void>;
  /** Ends all but the current session; gives how many there were. */
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
