import type { NamedUser, Role } from '../core/user.ts';

export type InvitationStatus = 'pending' | 'accepted' | 'revoked' | 'expired';

/** A role that an invitation can offer. */
export type InvitedRole = Extract<Role, 'admin'>;

/** An invitation as superadmins see it. Times are RFC 3339. */
export interface Invitation {
  id: string;
  role: InvitedRole;
  /** Whom it is for; null: for whoever has the link. */
  username: string | null;
  status: InvitationStatus;
  /** Null: an operator, or somebody whose account is deleted. */
  createdBy: NamedUser | null;
  createdAt: string;
  expiresAt: string;
  acceptedBy: NamedUser | null;
  acceptedAt: string | null;
}

/** What somebody who holds the link is told of it before they sign in. */
export type InvitationPreview = Pick<Invitation, 'role' | 'username' | 'createdBy' | 'expiresAt'>;

/** A new invitation with its secret, which is shown this once. */
export interface CreatedInvitation {
  invitation: Invitation;
  /** 256 random bits, base64url. */
  token: string;
  /** The application's invitation page with the token in its fragment, which browsers send to nobody. */
  url: string;
}
