import type { NamedUser, Role } from '../core/user.ts';

export type InvitationStatus = 'pending' | 'accepted' | 'revoked' | 'expired';

/** A role that an invitation can grant. */
export type InvitedRole = Extract<Role, 'user' | 'admin'>;

/**
 * An invitation to the service. A user invitation (role `user`) is for a sign-up. An admin invitation (role `admin`) is
 * for a sign-up, or for a user who has an account. Times are RFC 3339.
 */
export interface Invitation {
  id: string;
  role: InvitedRole;
  /** The only user who can accept. Null: any user with the link can accept, until one user has accepted. */
  username: string | null;
  status: InvitationStatus;
  /** The user who created the invitation. Null: an operator, or a user who was deleted. */
  createdBy: NamedUser | null;
  createdAt: string;
  expiresAt: string;
  acceptedBy: NamedUser | null;
  acceptedAt: string | null;
}

/** The part of an invitation that anyone with the link can see before sign-in. */
export type InvitationPreview = Pick<Invitation, 'role' | 'username' | 'createdBy' | 'expiresAt'>;

/** A new invitation. The token and the URL are secret and shown only once. */
export interface CreatedInvitation {
  invitation: Invitation;
  /** 256 random bits in base64url. */
  token: string;
  /**
   * The URL of the invitation page. The token is in the fragment, because browsers do not send fragments to servers.
   */
  url: string;
}
