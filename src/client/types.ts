/** The roles of the service, lowest first. */
export const roles = ['user', 'admin', 'superadmin'] as const;

/** A role in the whole service. */
export type Role = (typeof roles)[number];

/**
 * Whether a role has the rights of `minimum`. The service decides what a user may do; use this to hide actions that the
 * service would refuse.
 */
export const isAtLeast = (role: Role, minimum: Role): boolean =>
  roles.indexOf(role) >= roles.indexOf(minimum);

/** A user's account. All times of the client are RFC 3339 strings in UTC. */
export interface User {
  id: string;
  /** The canonical form: lower case, 3 to 32 characters. */
  username: string;
  displayName: string | null;
  role: Role;
  status: 'active' | 'disabled';
  createdAt: string;
}

/** The user's own account, with the credentials that protect it. */
export interface Account extends User {
  hasPassword: boolean;
  passkeyCount: number;
  recoveryCodesRemaining: number;
}

/** A passkey of the user's own account. */
export interface Passkey {
  id: string;
  /** The name that the user chose. Default: the provider's name, or `Passkey` if the provider is unknown. */
  label: string;
  /** The name of the passkey provider (`iCloud Keychain`). Null if it is unknown. */
  provider: string | null;
  /** Identifies the model of the authenticator (WebAuthn 6.5.1). */
  aaguid: string;
  /** How the browser reaches it: `internal`, `hybrid`, `usb`, `nfc`, `ble`. Browsers can report others. */
  transports: string[];
  /** Whether it can be synced to other devices (WebAuthn 6.1.3). */
  backupEligible: boolean;
  /** Whether it is currently synced. */
  backedUp: boolean;
  createdAt: string;
  lastUsedAt: string | null;
}

/** A session of the user's own account. */
export interface Session {
  id: string;
  /** A `recovery` session can only restore access. Everything else needs a `full` session. */
  kind: 'full' | 'recovery';
  /** Whether it is the session of this browser. */
  current: boolean;
  createdAt: string;
  /** Updated at most once a minute. */
  lastSeenAt: string;
  /** The last sign-in, sign-up or step-up. */
  authenticatedAt: string;
  method: 'passkey' | 'password' | 'recovery_code' | 'assisted_recovery';
  /** The earlier of idle expiry and absolute expiry. */
  expiresAt: string;
  ip: string | null;
  userAgent: string | null;
}

/** Whether a username is available. Reserves nothing: sign-up checks again. */
export interface UsernameAvailability {
  /** The canonical form of the requested username. For an invalid username: its trimmed and case-folded text. */
  username: string;
  available: boolean;
  /** Why it is not available. Null if it is. */
  reason: 'taken' | 'invalid' | 'reserved' | null;
}

/** The account and session of this browser. */
export interface CurrentSession {
  user: Account;
  session: Session;
  /**
   * A recovery link that another user or an operator created for this account, or null. Show it to the user, who can
   * cancel it with `recovery.cancelLink()`.
   */
  recoveryLink: PendingRecoveryLink | null;
}

/** A valid recovery link for the user's own account. */
export interface PendingRecoveryLink {
  /** The user who created it. Null if an operator of the service did. */
  createdBy: NamedUser | null;
  createdAt: string;
  /** The link does not work before this time. */
  usableAt: string;
  expiresAt: string;
  /** When it was used to open a recovery session. Null if it was not used. */
  usedAt: string | null;
}

/** The result of `recovery.complete()`. The recovery codes are shown only once. */
export interface CompletedRecovery {
  passkey: Passkey;
  recoveryCodes: RecoveryCodes;
}

/** How many recovery codes an account has. Without codes, the counts are 0 and the times null. */
export interface RecoveryCodesStatus {
  total: number;
  /** How many have not been used. */
  remaining: number;
  generatedAt: string | null;
  /** Null if they do not expire. */
  expiresAt: string | null;
}

/** New recovery codes, which are shown only once. */
export interface RecoveryCodes {
  codes: string[];
  total: number;
  /** Null if they do not expire. */
  expiresAt: string | null;
}

/** The result of a sign-in. Scripts cannot read the session token: it is in an HttpOnly cookie. */
export interface SignedIn {
  user: User;
  session: Session;
}

/** The result of a sign-up: the account, its first passkey, and the new session. */
export interface SignedUp extends SignedIn {
  passkey: Passkey;
}

/** A reference to another user. */
export interface NamedUser {
  id: string;
  username: string;
}

/**
 * One page of a longer list: `Page<'users', User>` is `{ users: User[], nextCursor }`. Pass `nextCursor` as `cursor` to get
 * the next page. Null: this is the last page.
 */
export type Page<Name extends string, T> = Record<Name, T[]> & { nextCursor: string | null };

/** Which page of a longer list to return. */
export interface PageRequest {
  /** How many entries, 1 to 200. Default: 50. */
  limit?: number | undefined;
  /** `nextCursor` of the previous page. */
  cursor?: string | null | undefined;
}

/** An invitation to become an admin. */
export interface Invitation {
  id: string;
  role: 'admin';
  /** The only user who can accept. Null if any user with the link can. */
  username: string | null;
  status: 'pending' | 'accepted' | 'revoked' | 'expired';
  /** Null if an operator created it, or if the account was deleted. */
  createdBy: NamedUser | null;
  createdAt: string;
  expiresAt: string;
  acceptedBy: NamedUser | null;
  acceptedAt: string | null;
}

/** A new invitation. Its token and URL are shown only once. */
export interface CreatedInvitation {
  invitation: Invitation;
  token: string;
  /** `https://…/invitation#token=…` */
  url: string;
}

/** What an invitation shows to anyone who has its token. */
export type InvitationPreview = Pick<Invitation, 'role' | 'username' | 'createdBy' | 'expiresAt'>;

/** The result of accepting an invitation: the account with its new role. */
export interface AcceptedInvitation {
  user: User;
  invitation: Invitation;
}

/** A new recovery link for another user. Its token and URL are shown only once. */
export interface RecoveryLink {
  token: string;
  /** `https://…/recover#token=…` */
  url: string;
  /** The link does not work before this time. */
  usableAt: string;
  expiresAt: string;
}

/** A role within one organization. */
export type OrganizationRole = 'user' | 'admin';

/** An organization, as its members and superadmins see it. */
export interface Organization {
  id: string;
  /** 1 to 64 characters. */
  name: string;
  /** `[a-z0-9-]{2,48}`, unique. */
  slug: string;
  createdAt: string;
  /** The caller's role in it. Null if the caller is a superadmin and not a member. */
  myRole: OrganizationRole | null;
}

/** A user's membership in an organization. */
export interface Member {
  user: NamedUser;
  role: OrganizationRole;
  joinedAt: string;
}

/** An invitation to join an organization. */
export interface OrganizationInvitation {
  id: string;
  organization: Pick<Organization, 'id' | 'name' | 'slug'>;
  /** The role in the organization that the accepting user gets. */
  role: OrganizationRole;
  /** The only user who can accept. Null if it is a link, which any user can accept, once. */
  username: string | null;
  status: 'pending' | 'accepted' | 'declined' | 'revoked' | 'expired';
  /** Null if an operator created it, or if the account was deleted. */
  createdBy: NamedUser | null;
  createdAt: string;
  expiresAt: string;
  acceptedBy: NamedUser | null;
  acceptedAt: string | null;
}

/** A new invitation to an organization. The token and URL of a link are shown only once. */
export interface CreatedOrganizationInvitation {
  invitation: OrganizationInvitation;
  /** Null if the invitation names a user. */
  token: string | null;
  /** `https://…/join#token=…`. Null if the invitation names a user. */
  url: string | null;
}

/** What an invitation link shows to anyone who has its token. */
export interface OrganizationInvitationPreview
  extends Pick<OrganizationInvitation, 'role' | 'createdBy' | 'expiresAt'> {
  organization: Pick<Organization, 'name'>;
}

/** The result of accepting an invitation: the organization, and the accepted invitation. */
export interface JoinedOrganization {
  organization: Organization;
  invitation: OrganizationInvitation;
}

/** One row of the audit log. */
export interface AuditEvent {
  id: string;
  at: string;
  /** `noun.verb`, for example `passkey.login`. A newer service can send others. */
  event: string;
  outcome: 'success' | 'failure';
  actor: { type: 'user' | 'operator' | 'anonymous' | 'system'; id: string | null; name: string | null };
  target: { type: string; id: string | null; name: string | null } | null;
  organizationId: string | null;
  ip: string | null;
  userAgent: string | null;
  /** The `X-Request-Id` header of the response. */
  requestId: string | null;
  details: Record<string, string | number | boolean | null>;
}
