import type { User } from './user.ts';
import type { FieldValues, NoFields, StoredFields, UserFields } from './user-fields.ts';

export type SessionKind = 'full' | 'recovery';
/** `impersonation`: a superadmin or an operator opened the session as the user, so the user did not authenticate. */
export type SessionMethod = 'passkey' | 'password' | 'recovery_code' | 'assisted_recovery' | 'impersonation';

export const privilegedMethods = ['passkey', 'password'] as const;

/** A method of authentication that can make a session privileged. */
export type PrivilegedMethod = (typeof privilegedMethods)[number];

/** The superadmin or the operator who uses an impersonated session. */
export interface Impersonator {
  type: 'user' | 'operator';
  /** The id of the superadmin. Null: an operator. */
  id: string | null;
  /** The username of the superadmin when the session was opened, or the name of the operator. */
  name: string;
}

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
  /** The passkey with which the user last authenticated. Null: another method, or the passkey is unknown. */
  passkeyId: string | null;
  /** The idle expiry or the absolute expiry, whichever is earlier. */
  expiresAt: string;
  ip: string | null;
  userAgent: string | null;
  /** The superadmin or operator who uses the session as the user (option `impersonation`). Null: the user does. */
  impersonator: Impersonator | null;
}

/** A session in a list of sessions. */
export interface ListedSession extends Session {
  /** The label of the passkey with the id `passkeyId`. Null: `passkeyId` is null, or the passkey was removed. */
  passkeyLabel: string | null;
  /** The approximate place of `ip`, from the option `placeOf`. Null: unknown. */
  place: string | null;
}

/** A session with a new token. The service sends the token in the cookie and nowhere else. */
export interface OpenedSession {
  session: Session;
  token: string;
  /** The session epoch of the account. */
  epoch: number;
}

/**
 * A user with the values of the own fields (`userFields`). The application's code reads all fields, such as
 * `user.fields.plan`. `JSON.stringify` writes only the fields that the user can read, so that a response with this user
 * does not show the other fields. A copy of `fields`, such as `{ ...user.fields }`, has no such protection.
 */
export type UserWithFields<Fields extends UserFields> = [keyof Fields] extends [never]
  ? User
  : User & { readonly fields: FieldValues<Fields> };

/** A live session and its user. */
export interface ReadSession<Fields extends UserFields = NoFields> {
  user: UserWithFields<Fields>;
  session: Session;
  /** Whether the user last authenticated within REAUTHENTICATION_WINDOW. Always false in an impersonated session. */
  fresh: boolean;
  /**
   * Whether the session gives the rights of an admin, a superadmin or an organization admin, and can change the sign-in
   * methods of the account. False if the user has a passkey but authenticated with a password, or if
   * `privilegedMethods` does not contain the method of the session. Always false in an impersonated session.
   */
  privileged: boolean;
  /** Whether the user has a passkey, but did not authenticate with a passkey in this session. */
  hasUnusedPasskey: boolean;
}

/** A session as the operations read it. `exposedSession` converts it for the application. */
export interface CheckedSession extends ReadSession {
  fields: StoredFields;
}
