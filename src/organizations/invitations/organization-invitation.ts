import type { NamedUser } from '../../core/user.ts';
import type { OrganizationRole, Principal } from '../../roles/principal.ts';
import type { Organization } from '../organization.ts';

export type OrganizationInvitationStatus = 'pending' | 'accepted' | 'declined' | 'revoked' | 'expired';

/** An invitation to join an organization. Times are RFC 3339. */
export interface OrganizationInvitation {
  id: string;
  organization: Pick<Organization, 'id' | 'name' | 'slug'>;
  /** The role that the user gets in the organization. */
  role: OrganizationRole;
  /**
   * The only user who can accept. Null: any user with the link can accept, until one user has accepted. Also null if the
   * user is deleted and no longer has a username.
   */
  username: string | null;
  status: OrganizationInvitationStatus;
  /** Null if an operator created it, or if the creator's account is deleted. */
  createdBy: NamedUser | null;
  createdAt: string;
  expiresAt: string;
  acceptedBy: NamedUser | null;
  acceptedAt: string | null;
}

/** The user who created an invitation. `memberships` is empty, or contains only the membership in the organization. */
export interface InvitationCreator extends Principal {
  organizationId: string;
}

/** The part of an invitation that anyone with the link can see before sign-in. */
export interface OrganizationInvitationPreview
  extends Pick<OrganizationInvitation, 'role' | 'createdBy' | 'expiresAt'> {
  organization: Pick<Organization, 'name'>;
  /** Whether users without an account can sign up with the token of the link (`signUp.organizationInvitations`). */
  canSignUp: boolean;
}

/** A new invitation. The token and the URL are secret and shown only once. */
export interface CreatedOrganizationInvitation {
  invitation: OrganizationInvitation;
  /** 256 random bits in base64url. Null: the invitation is for a named user. */
  token: string | null;
  /** The URL of the join page, with the token in the fragment. Null: the invitation is for a named user. */
  url: string | null;
}
