import type { Configuration } from './core/config.ts';
import type { RecoveryLink } from './recovery/recovery.ts';
import type { ReadSession } from './sessions/session.ts';
import type { UsernameAvailability } from './users/operations.ts';

/** The service: what `createAuthService` returns and `createAuthRouter` mounts. */
export interface AuthService {
  /** Settings that are no secret, as they were understood. */
  readonly config: Pick<Configuration, 'production' | 'rpId' | 'rpName' | 'origins' | 'serverAddress'>;
  readonly users: {
    /** Whether a username could be signed up with just now; advice only, signup decides. */
    checkAvailability(username: string): Promise<UsernameAvailability>;
  };
  readonly sessions: {
    /** The live session behind a token, read from its row, or null. For a WebSocket's handshake, say. */
    read(token: string | null): Promise<ReadSession | null>;
  };
  readonly recovery: {
    /**
     * Makes a link that lets a person back into their account, for an operator of the service: whoever runs this
     * code is trusted with every account. It serves once, for an hour, and voids an earlier one.
     *
     * @param operator what the audit log calls whoever asked for it
     * @throws AuthError `not_found` where nobody has that username | `account_disabled`
     * @example const { url } = await auth.recovery.createLink('ada', { operator: 'support desk' });
     */
    createLink(username: string, by: { operator: string }): Promise<RecoveryLink>;
  };
  /** Whether the database answers and its schema is current. @throws AuthError `unavailable` */
  isReady(): Promise<boolean>;
  /** Ends background work and closes the connections that the service opened itself. */
  close(): Promise<void>;
}
