import type { User } from './user.ts';

export type SessionKind = 'full' | 'recovery';
export type SessionMethod = 'passkey' | 'password' | 'recovery_code' | 'assisted_recovery';

/** A session as its user sees it. Times are RFC 3339 in UTC. */
export interface Session {
  id: string;
  /** A recovery session can only restore access to the account. */
  kind: SessionKind;
  /** Whether this is the session of the request. */
  current: boolean;
  createdAt: string;
  lastSeenAt: string;
  /** The time of the last sign-in, sign-up or step-up. */
  authenticatedAt: string;
  /** How the user last authenticated. */
  method: SessionMethod;
  /** The earlier of idle and absolute expiry. */
  expiresAt: string;
  ip: string | null;
  userAgent: string | null;
}

/** A new session and its token. The token goes only into the cookie. */
export interface OpenedSession {
  session: Session;
  token: string;
}

/** A live session and its user. */
export interface ReadSession {
  user: User;
  session: Session;
  /** Whether the last authentication is within REAUTHENTICATION_WINDOW. */
  fresh: boolean;
}
