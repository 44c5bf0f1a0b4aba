import type { NamedUser, Organization, OrganizationRole } from './types.ts';

/** An invitation to join an organization. */
export interface OrganizationInvitation {
  id: string;
  organization: Pick<Organization, 'id' | 'name' | 'slug'>;
  /** The role in the organization after the user accepts. */
  role: OrganizationRole;
  /**
   * The only user who can accept. Null: any user with the link can accept, until one user has accepted. Also null if the
   * user is deleted and no longer has a username.
   */
  username: string | null;
  status: 'pending' | 'accepted' | 'declined' | 'revoked' | 'expired';
  /** The user who created the invitation. Null: an operator, or a user who was deleted. */
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

/** The part of an invitation that a caller with the token can read. */
export interface OrganizationInvitationPreview
  extends Pick<OrganizationInvitation, 'role' | 'createdBy' | 'expiresAt'> {
  organization: Pick<Organization, 'name'>;
  /**
   * Whether a user without an account can sign up with the token: `signUp({ username, invitation: token })`. The sign-up
   * also accepts the invitation.
   */
  canSignUp: boolean;
}

/** The result of accepting an invitation to an organization. */
export interface JoinedOrganization {
  organization: Organization;
  invitation: OrganizationInvitation;
}
