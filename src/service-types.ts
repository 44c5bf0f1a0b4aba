import type { Configuration } from './core/config.ts';
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
  /** Whether the database answers and its schema is current. @throws AuthError `unavailable` */
  isReady(): Promise<boolean>;
  /** Ends background work and closes the connections that the service opened itself. */
  close(): Promise<void>;
}
