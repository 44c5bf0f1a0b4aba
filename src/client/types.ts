/** A role in the whole service. */
export type Role = 'user' | 'admin' | 'superadmin';

/** A person's account. Times are RFC 3339, in UTC, here and everywhere below. */
export interface User {
  id: string;
  /** The canonical form: lower case, 3 to 32 characters. */
  username: string;
  displayName: string | null;
  role: Role;
  status: 'active' | 'disabled';
  createdAt: string;
}

/** One's own account, with what decides how safe it is. */
export interface Account extends User {
  hasPassword: boolean;
  passkeyCount: number;
  recoveryCodesRemaining: number;
}

/** A passkey as its owner sees it. */
export interface Passkey {
  id: string;
  /** The name its owner gave it; else the provider's, else "Passkey". */
  label: string;
  /** The authenticator's human name ("iCloud Keychain"), where it is known. */
  provider: string | null;
  aaguid: string;
  /** How the browser reaches it: "internal", "hybrid", "usb", "nfc", "ble"; further ones may appear. */
  transports: string[];
  /** Whether it can be synced to other devices. */
  backupEligible: boolean;
  /** Whether it is synced just now. */
  backedUp: boolean;
  createdAt: string;
  lastUsedAt: string | null;
}

/** A session as its owner sees it. */
export interface Session {
  id: string;
  /** A recovery session may only restore access; everything else wants a full one. */
  kind: 'full' | 'recovery';
  /** Whether it is the session of this browser. */
  current: boolean;
  createdAt: string;
  /** Written at most once in a minute. */
  lastSeenAt: string;
  /** The last sign-in, sign-up or step-up. */
  authenticatedAt: string;
  method: 'passkey' | 'password' | 'recovery_code' | 'assisted_recovery';
  /** The sooner of idle and absolute expiry. */
  expiresAt: string;
  ip: string | null;
  userAgent: string | null;
}

/** What the service thinks of a username. Advice only: signing up decides. */
export interface UsernameAvailability {
  /** The canonical form of what was asked; of an impossible name, its trimmed and case-folded text. */
  username: string;
  available: boolean;
  /** Why it is not available; null where it is. */
  reason: 'taken' | 'invalid' | 'reserved' | null;
}

/** The account and session of this browser. */
export interface CurrentSession {
  user: Account;
  session: Session;
  /**
   * A recovery link that another user or an operator made for this account, or null. Show it: the user can cancel it.
   */
  recoveryLink: PendingRecoveryLink | null;
}

/** A live recovery link as the user it is for sees it. */
export interface PendingRecoveryLink {
  /** The user who made it; null: an operator of the service. */
  createdBy: Person | null;
  createdAt: string;
  /** The link does not work before this time. */
  usableAt: string;
  expiresAt: string;
  /** When it was used: the recovery is under way. Null: it was not used. */
  usedAt: string | null;
}

/** What completing a recovery gives: the new passkey, and new recovery codes, which are shown once. */
export interface CompletedRecovery {
  passkey: Passkey;
  recoveryCodes: RecoveryCodes;
}

/** What there is of recovery codes: zeros and nulls where there are none. */
export interface RecoveryCodesState {
  total: number;
  /** How many have not been used. */
  remaining: number;
  generatedAt: string | null;
  /** Null where they do not expire. */
  expiresAt: string | null;
}

/** New recovery codes, as they are shown this once. */
export interface RecoveryCodes {
  codes: string[];
  total: number;
  /** Null where they do not expire. */
  expiresAt: string | null;
}

/** What signing in gives. The session's token is in an HttpOnly cookie, out of a script's reach. */
export interface SignedIn {
  user: User;
  session: Session;
}

/** What signing up gives: the account, its first passkey, and the session it opened. */
export interface SignedUp extends SignedIn {
  passkey: Passkey;
}

/** Somebody as others see them. */
export interface Person {
  id: string;
  username: string;
}

/** One page of a longer list. */
export interface Page {
  /** Give it as `cursor` for what comes next; null where this was the last page. */
  nextCursor: string | null;
}

/** How far to read in a longer list. */
export interface PageRequest {
  /** 1 to 200; 50 where absent. */
  limit?: number | undefined;
  /** `nextCursor` of the page before. */
  cursor?: string | null | undefined;
}

/** An invitation to become an administrator, as superadmins see it. */
export interface Invitation {
  id: string;
  role: 'admin';
  /** Whom alone it is for; null: whoever has its link. */
  username: string | null;
  status: 'pending' | 'accepted' | 'revoked' | 'expired';
  /** Null: an operator of the service, or somebody whose account has been deleted. */
  createdBy: Person | null;
  createdAt: string;
  expiresAt: string;
  acceptedBy: Person | null;
  acceptedAt: string | null;
}

/** A new invitation, with the link that is shown this once. */
export interface CreatedInvitation {
  invitation: Invitation;
  token: string;
  /** `https://…/invitation#token=…` */
  url: string;
}

/** What an invitation tells whoever holds its token. */
export type InvitationPreview = Pick<Invitation, 'role' | 'username' | 'createdBy' | 'expiresAt'>;

/** What accepting an invitation gives: the account with its new role. */
export interface AcceptedInvitation {
  user: User;
  invitation: Invitation;
}

/** A new recovery link for another user. Its token and URL are shown once. */
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

export interface Organization {
  id: string;
  /** 1 to 64 characters. */
  name: string;
  /** `[a-z0-9-]{2,48}`, one of its kind. */
  slug: string;
  createdAt: string;
  /** Null: a superadmin who is not a member. */
  myRole: OrganizationRole | null;
}

/** Somebody's membership in an organization. */
export interface Member {
  user: Person;
  role: OrganizationRole;
  joinedAt: string;
}

/** An invitation to join an organization. Times are RFC 3339. */
export interface OrganizationInvitation {
  id: string;
  organization: Pick<Organization, 'id' | 'name' | 'slug'>;
  /** The role in the organization that the accepting user gets. */
  role: OrganizationRole;
  /** The only user who can accept; null: a link, which any one user can accept. */
  username: string | null;
  status: 'pending' | 'accepted' | 'declined' | 'revoked' | 'expired';
  /** Null: an operator, or a deleted account. */
  createdBy: Person | null;
  createdAt: string;
  expiresAt: string;
  acceptedBy: Person | null;
  acceptedAt: string | null;
}

/** A new invitation to an organization. For a link, also the secret, which is shown only once. */
export interface CreatedOrganizationInvitation {
  invitation: OrganizationInvitation;
  /** Null where the invitation is for a named user. */
  token: string | null;
  /** `https://…/join#token=…`; null where the invitation is for a named user. */
  url: string | null;
}

/** What an invitation link offers, before its holder signs in. */
export interface OrganizationInvitationPreview
  extends Pick<OrganizationInvitation, 'role' | 'createdBy' | 'expiresAt'> {
  organization: Pick<Organization, 'name'>;
}

/** The organization as its new member sees it, and the accepted invitation. */
export interface JoinedOrganization {
  organization: Organization;
  invitation: OrganizationInvitation;
}

/** One row of the audit log. */
export interface AuditEvent {
  id: string;
  at: string;
  /** `noun.verb`: "passkey.login"; further ones may appear. */
  event: string;
  outcome: 'success' | 'failure';
  actor: { type: 'user' | 'operator' | 'anonymous' | 'system'; id: string | null; name: string | null };
  target: { type: string; id: string | null; name: string | null } | null;
  organizationId: string | null;
  ip: string | null;
  userAgent: string | null;
  /** As in the `X-Request-Id` header of the answer. */
  requestId: string | null;
  details: Record<string, unknown>;
}
