import type { NamedUser } from '../../core/user.ts';
import type { OrganizationRole, Principal } from '../../roles/principal.ts';
import type { Organization } from '../organization.ts';

export type OrganizationInvitationStatus = 'pending' | 'accepted' | 'declined' | 'revoked' | 'expired';

/** An invitation to join an organization. Times are RFC 3339. */
export interface OrganizationInvitation {
  id: string;
  organization: Pick<Organization, 'id' | 'name' | 'slug'>;
  /** The role in the organization that the accepting user gets. */
  role: OrganizationRole;
  /** The only user who can accept it. Null: a link, which any user can accept, once. */
  username: string | null;
  status: OrganizationInvitationStatus;
  /** Null if an operator created it, or if the creator's account is deleted. */
  createdBy: NamedUser | null;
  createdAt: string;
  expiresAt: string;
  acceptedBy: NamedUser | null;
  acceptedAt: string | null;
}

/** The user who created an invitation, with the membership in its organization. */
export interface InvitationCreator extends Principal {
  organizationId: string;
}

/** The part of an invitation that is shown before sign-in, to anyone with the link. */
export interface OrganizationInvitationPreview
  extends Pick<OrganizationInvitation, 'role' | 'createdBy' | 'expiresAt'> {
  organization: Pick<Organization, 'name'>;
}

/** A new invitation. A link contains a secret, which is shown only once. */
export interface CreatedOrganizationInvitation {
  invitation: OrganizationInvitation;
  /** 256 random bits, base64url; null if the invitation is for a named user. */
  token: string | null;
  /** The application's join page with the token in the fragment; null if the invitation is for a named user. */
  url: string | null;
}
