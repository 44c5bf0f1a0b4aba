import type { User } from './user.ts';

export type SessionKind = 'full' | 'recovery';
export type SessionMethod = 'passkey' | 'password' | 'recovery_code' | 'assisted_recovery';

/** A session as its user sees it. Times are RFC 3339 in UTC. */
export interface Session {
  id: string;
  /** `recovery`: the session can only restore access to the account. */
  kind: SessionKind;
  /** Whether the request used this session. */
  current: boolean;
  createdAt: string;
  lastSeenAt: string;
  /** The time of the last sign-in, sign-up, step-up or recovery. */
  authenticatedAt: string;
  /** How the user last authenticated. */
  method: SessionMethod;
  /** The idle expiry or the absolute expiry, whichever is earlier. */
  expiresAt: string;
  ip: string | null;
  userAgent: string | null;
}

/** A session with a new token. The service sends the token in the cookie and nowhere else. */
export interface OpenedSession {
  session: Session;
  token: string;
  /** The session epoch of the account. */
  epoch: number;
}

/** A live session and its user. */
export interface ReadSession {
  user: User;
  session: Session;
  /** Whether the user last authenticated within REAUTHENTICATION_WINDOW. */
  fresh: boolean;
}
