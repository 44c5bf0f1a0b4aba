import type { NamedUser, User } from './types.ts';

/** An invitation to sign up (role `user`), or to become an admin (role `admin`). */
export interface Invitation {
  id: string;
  role: 'user' | 'admin';
  /**
   * The only user who can accept, or the only username that can sign up. Null: any user with the link, until one user
   * has accepted or signed up.
   */
  username: string | null;
  status: 'pending' | 'accepted' | 'revoked' | 'expired';
  /** The user who created the invitation. Null: an operator, or a user who was deleted. */
  createdBy: NamedUser | null;
  createdAt: string;
  expiresAt: string;
  acceptedBy: NamedUser | null;
  acceptedAt: string | null;
}

/** A new invitation. The token and the URL are shown only once. */
export interface CreatedInvitation {
  invitation: Invitation;
  token: string;
  /** `https://…/invitation#token=…` */
  url: string;
}

/** The part of an invitation that a caller with the token can read. */
export type InvitationPreview = Pick<Invitation, 'role' | 'username' | 'createdBy' | 'expiresAt'>;

/** The result of accepting an invitation. `user` has the new role. */
export interface AcceptedInvitation {
  user: User;
  invitation: Invitation;
}
