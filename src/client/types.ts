import type { NoServiceTypes, OwnFieldDefinitions, WithOwnFields } from './own-fields.ts';

/** The roles of the service, lowest first. */
export const roles = ['user', 'admin', 'superadmin'] as const;

/** The role of an account in the service. */
export type Role = (typeof roles)[number];

/**
 * Whether `role` is `minimum` or a higher role. The service decides what a user may do. Use this function to hide
 * actions that the service would refuse.
 *
 * @example
 * if (isAtLeast(user.role, 'admin')) showUsers();
 */
export const isAtLeast = (role: Role, minimum: Role): boolean =>
  roles.indexOf(role) >= roles.indexOf(minimum);

/** A user's account. All times of the client are RFC 3339 strings in UTC. */
export interface User {
  id: string;
  /** The username in canonical form. By default: lowercase, 3 to 32 characters. */
  username: string;
  displayName: string | null;
  role: Role;
  status: 'active' | 'disabled';
  createdAt: string;
}

/** What an administrator reads about a user. */
export interface ManagedUser extends User {
  /** Why the user is disabled. Null: no reason was given, the user is active, or the caller cannot see all users. */
  disabledReason: string | null;
}

/** The user's own account. */
export interface Account extends User {
  hasPassword: boolean;
  passkeyCount: number;
  recoveryCodesRemaining: number;
}

/** A passkey of the user's own account. */
export interface Passkey {
  id: string;
  /** The name that the user chose. Default: the name of the provider, of the device or of the kind of authenticator. */
  label: string;
  /** The name of the passkey provider, such as `iCloud Keychain`. Null if the provider is unknown. */
  provider: string | null;
  /** Identifies the model of the authenticator (WebAuthn 6.5.1). */
  aaguid: string;
  /** Whether an attestation proves the model. If false, the browser only claims `aaguid` and `provider`. */
  attested: boolean;
  /** How the browser reaches the authenticator: `internal`, `hybrid`, `usb`, `nfc`, `ble` or another value. */
  transports: string[];
  /** Whether the passkey can be synced to other devices (WebAuthn 6.1.3). */
  backupEligible: boolean;
  /** Whether the passkey was synced. Each use of the passkey updates this value. */
  backedUp: boolean;
  createdAt: string;
  lastUsedAt: string | null;
  /** The IP address of the last use. */
  lastUsedIp: string | null;
  /** The browser of the last use (the `User-Agent` header). */
  lastUsedUserAgent: string | null;
  /** Whether the user last authenticated with this passkey in the session of this browser. */
  current: boolean;
}

/** A passkey that was just added. */
export interface NewPasskey extends Passkey {
  /** Whether the service chose the label. The page can then offer to name the passkey. */
  hasDefaultLabel: boolean;
}

/** A session of the user's own account. */
export interface Session {
  id: string;
  /** In a `recovery` session, the user can only restore access to the account. */
  kind: 'full' | 'recovery';
  /** Whether this session is the session of this browser. */
  current: boolean;
  createdAt: string;
  /** Updated at most once a minute. If the idle timeout is shorter than four minutes, updates can be more frequent. */
  lastSeenAt: string;
  /** The time of the last authentication. */
  authenticatedAt: string;
  /**
   * How the user last authenticated. `assisted_recovery`: with a recovery link. `impersonation`: a superadmin or an
   * operator opened the session as the user.
   */
  method: 'passkey' | 'password' | 'recovery_code' | 'assisted_recovery' | 'impersonation';
  /** The passkey with which the user last authenticated. Null: another method, or the passkey is unknown. */
  passkeyId: string | null;
  /** When the idle timeout or the absolute lifetime ends the session, whichever is earlier. */
  expiresAt: string;
  ip: string | null;
  userAgent: string | null;
  /** The superadmin or the operator who uses the session as the user. Show it to the user. Null: the user does. */
  impersonator: Impersonator | null;
}

/** A session in a list of sessions. */
export interface ListedSession extends Session {
  /** The label of the passkey. Null: `passkeyId` is null, or the passkey was removed. */
  passkeyLabel: string | null;
  /** The approximate place of the IP address. Null: the service does not know it. */
  place: string | null;
}

/** The superadmin or the operator who uses an impersonated session. */
export interface Impersonator {
  type: 'user' | 'operator';
  /** The id of the superadmin. Null: an operator. */
  id: string | null;
  /** The username of the superadmin when the session was opened, or the name of the operator. */
  name: string;
}

/** Whether a username is available. Another user can take the username before the sign-up finishes. */
export interface UsernameAvailability {
  /** The canonical form of the username. For an invalid username: the input, trimmed and in lowercase. */
  username: string;
  available: boolean;
  /**
   * Why the username is not available. Null if the username is available. `look_alike`: it looks like the username of
   * another user, such as `4nna` and `anna`.
   */
  reason: 'taken' | 'look_alike' | 'invalid' | 'reserved' | null;
}

/** The account and session of this browser. */
export interface CurrentSession<Fields extends OwnFieldDefinitions = NoServiceTypes['userFields']> {
  user: WithOwnFields<Account, Fields>;
  session: Session;
  /**
   * The recovery link that another user or an operator created for this account, or null. Tell the user about the link,
   * because an attacker could have asked for the link. `recovery.cancelLink()` cancels the link.
   */
  recoveryLink: PendingRecoveryLink | null;
}

/** The account, session and organizations of this browser. */
export interface SessionWithOrganizations<Fields extends OwnFieldDefinitions = NoServiceTypes['userFields']>
  extends CurrentSession<Fields> {
  /** The organizations of the user, sorted by name. At most 100. Empty in a recovery session. */
  organizations: UserOrganization[];
}

/** An organization that the user belongs to, for an organization switcher. */
export interface UserOrganization {
  id: string;
  slug: string;
  name: string;
  /** The user's role in the organization. */
  role: OrganizationRole;
}

/** A recovery link for the user's own account. The link is unused, or the recovery that it started is unfinished. */
export interface PendingRecoveryLink {
  /** The user who created the link. Null if an operator created it. */
  createdBy: NamedUser | null;
  createdAt: string;
  /** The link cannot be used before this time. */
  usableAt: string;
  expiresAt: string;
  /** When the link opened a recovery session. Null if the link is unused. */
  usedAt: string | null;
}

/** The result of `recovery.complete()`. The recovery codes are shown only once. */
export interface CompletedRecovery {
  passkey: NewPasskey;
  recoveryCodes: RecoveryCodes;
}

/** How many recovery codes an account has. */
export interface RecoveryCodesStatus {
  /** The number of used and unused codes. */
  total: number;
  /** The number of codes that can still be used. */
  remaining: number;
  /** When the codes were created. Null if the account has no codes. */
  generatedAt: string | null;
  /** Null if the codes do not expire, or if the account has no codes. */
  expiresAt: string | null;
}

/** New recovery codes, which are shown only once. */
export interface RecoveryCodes {
  codes: string[];
  total: number;
  /** Null if the codes do not expire. */
  expiresAt: string | null;
}

/** The result of a sign-in. The session token is in an HttpOnly cookie, which scripts cannot read. */
export interface SignedIn {
  user: User;
  session: Session;
}

/** The result of a sign-up. */
export interface SignedUp extends SignedIn {
  passkey: NewPasskey;
}

/** A reference to another user. */
export interface NamedUser {
  id: string;
  username: string;
}

/**
 * One page of a longer list: `Page<'users', User>` is `{ users: User[], nextCursor }`. Pass `nextCursor` as `cursor` to get
 * the next page. On the last page, `nextCursor` is null.
 */
export type Page<Name extends string, T> = Record<Name, T[]> & { nextCursor: string | null };

/** Which page of a list to return. */
export interface PageRequest {
  /** The maximum number of items, 1 to 200. Default: 50. */
  limit?: number | undefined;
  /** The `nextCursor` of the previous page. Default: the first page. */
  cursor?: string | null | undefined;
}

/** Who can sign up. `invitation`: only users with an invitation. `closed`: no user. */
export type SignUpMode = 'open' | 'invitation' | 'closed';

/** A new recovery link for another user. The token and the URL are shown only once. */
export interface RecoveryLink {
  token: string;
  /** `https://…/recover#token=…` */
  url: string;
  /** The link cannot be used before this time. */
  usableAt: string;
  expiresAt: string;
}

/** A role within one organization: `user`, `admin` or a role of the option `organizationRoles` of the service. */
export type OrganizationRole = 'user' | 'admin' | (string & {});

/** An organization, as its members and superadmins see it. */
export interface Organization {
  id: string;
  /** 1 to 64 characters. */
  name: string;
  /** The unique short name, which matches `[a-z0-9-]{2,48}`. */
  slug: string;
  createdAt: string;
  /** The caller's role in the organization. Null if the caller is a superadmin and not a member. */
  myRole: OrganizationRole | null;
}

/** The number of members of an organization. Counting stops at 1,000. */
export interface MemberCount {
  /** At most 1,000. */
  count: number;
  /** False: there are more than `count` members. */
  exact: boolean;
}

/** An organization in a list. */
export interface ListedOrganization extends Organization {
  /** Present with `include: 'memberCount'`, if the caller can read the members. */
  memberCount?: MemberCount;
}

/** A user's membership in an organization. */
export interface Member {
  user: { id: string; username: string; displayName: string | null };
  role: OrganizationRole;
  joinedAt: string;
}

/** An event of the audit log. */
export interface AuditEvent {
  id: string;
  at: string;
  /** The event name as `noun.verb`, for example `passkey.login`. A newer service can send other names. */
  event: string;
  outcome: 'success' | 'failure';
  actor: { type: 'user' | 'operator' | 'anonymous' | 'system'; id: string | null; name: string | null };
  /** The superadmin or the operator who acted as the actor. Null: the session was not impersonated. */
  impersonator: Impersonator | null;
  target: { type: string; id: string | null; name: string | null } | null;
  organizationId: string | null;
  ip: string | null;
  userAgent: string | null;
  /** The `X-Request-Id` header of the response. */
  requestId: string | null;
  details: Record<string, string | number | boolean | null>;
  /**
   * How many times it happened: 1, or more for a burst of refusals. `details` of a burst contains the times of the first
   * and the last refusal, `firstAt` and `lastAt`.
   */
  count: number;
}
