import type { NamedUser, Role } from '../core/user.ts';

export type InvitationStatus = 'pending' | 'accepted' | 'revoked' | 'expired';

/** A role that an invitation can grant. */
export type InvitedRole = Extract<Role, 'admin'>;

/** An invitation as superadmins see it. Times are RFC 3339. */
export interface Invitation {
  id: string;
  role: InvitedRole;
  /** The only user who can accept it. Null: any user with the link can accept it. */
  username: string | null;
  status: InvitationStatus;
  /** Null if an operator created it, or if the creator's account is deleted. */
  createdBy: NamedUser | null;
  createdAt: string;
  expiresAt: string;
  acceptedBy: NamedUser | null;
  acceptedAt: string | null;
}

/** The part of an invitation that is shown before sign-in, to anyone with the link. */
export type InvitationPreview = Pick<Invitation, 'role' | 'username' | 'createdBy' | 'expiresAt'>;

/** A new invitation with its secret, which is shown only once. */
export interface CreatedInvitation {
  invitation: Invitation;
  /** 256 random bits, base64url. */
  token: string;
  /** The application's invitation page with the token in the fragment, which browsers do not send to servers. */
  url: string;
}
