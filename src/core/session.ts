import type { User } from './user.ts';

export type SessionKind = 'full' | 'recovery';
export type SessionMethod = 'passkey' | 'password' | 'recovery_code' | 'assisted_recovery';

/** A session as its owner sees it. Times are RFC 3339. */
export interface Session {
  id: string;
  kind: SessionKind;
  /** Whether it is the one that the request came with. */
  current: boolean;
  createdAt: string;
  lastSeenAt: string;
  /** The last login, signup or step-up. */
  authenticatedAt: string;
  method: SessionMethod;
  /** The sooner of idle and absolute expiry. */
  expiresAt: string;
  ip: string | null;
  userAgent: string | null;
}

/** A session and the secret that its holder presents. The token is for the cookie alone. */
export interface OpenedSession {
  session: Session;
  token: string;
}

/** A live session, its user, and whether its last authentication still counts as fresh. */
export interface ReadSession {
  user: User;
  session: Session;
  fresh: boolean;
}
