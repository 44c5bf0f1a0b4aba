import type { Page, PageRequest } from '../core/page.ts';
import type {
  CreatedOrganizationInvitation,
  OrganizationInvitation,
  OrganizationInvitationStatus,
} from '../organizations/invitations/organization-invitation.ts';
import type {
  ListedOrganization,
  Member,
  MemberSortKey,
  Organization,
  OrganizationSortKey,
  UnconfiguredRole,
} from '../organizations/organization.ts';
import type { OrganizationRole } from '../roles/principal.ts';

/**
 * The actions of an operator on organizations. Methods that take a slug throw AuthError `not_found` if no organization
 * has it, and TypeError if it is not a text. Every method throws AuthError `feature_disabled` if the service has no
 * organizations (`organizations: false`). The audit log records such a refusal with the event of the change, and records
 * nothing for methods that only read. In the results, `myRole` is null, because an operator is not a member.
 */
export interface OperatorOrganizations {
  /**
   * Lists all organizations.
   *
   * @param page `sortBy`: `slug` (default) or `id`. A slug can change between two pages. Then a list that is sorted by
   *   slug can omit or repeat the organization. The id never changes. Every page of a list needs the same `sortBy`.
   *   `include`: `memberCount` adds the number of members of each organization.
   * @throws TypeError for another `sortBy` or `include`
   * @example const { organizations, nextCursor } = await auth.asOperator('ops').organizations.list({ sortBy: 'id' });
   */
  list(
    page?: Partial<PageRequest> & {
      sortBy?: OrganizationSortKey | undefined;
      include?: 'memberCount' | undefined;
    },
  ): Promise<Page<'organizations', ListedOrganization>>;
  /**
   * Creates an organization. Without `admin`, it has no members, and only superadmins and operators can manage it.
   *
   * @throws AuthError `invalid_request` for an invalid name or slug, for a time in the future, or if `slug` is absent
   *   and cannot be derived from the name
   * @throws AuthError `slug_taken` | `not_found` if no user has the username | `account_disabled`
   * @throws AuthError `too_many_organizations` if the user belongs to 100 organizations
   * @example
   * await auth.asOperator('ops').organizations.create({ name: 'Engines', slug: 'engines', admin: 'ada' });
   */
  create(organization: {
    /** 1 to 64 characters without control characters. */
    name: string;
    /** 2 to 48 lowercase letters, digits and hyphens. Default: derived from the name. */
    slug?: string | undefined;
    /** The username of the first organization admin. */
    admin?: string | undefined;
    /** Default: now. For organizations that come from another system. */
    createdAt?: Date | undefined;
  }): Promise<Organization>;
  /**
   * Returns one organization.
   *
   * @example const { id, name } = await auth.asOperator('ops').organizations.get('engines');
   */
  get(slug: string): Promise<Organization>;
  /**
   * Returns the user who created the organization. Null: an operator created it, the user is deleted, or the
   * organization existed before migration 22.
   *
   * @example const creator = await auth.asOperator('ops').organizations.creatorOf('engines');
   */
  creatorOf(slug: string): Promise<{ id: string; username: string } | null>;
  /**
   * Changes the name or the slug. Absent values do not change.
   *
   * @throws AuthError `invalid_request` for an invalid name or slug | `slug_taken`
   * @example await auth.asOperator('ops').organizations.update('engines', { name: 'Analytical Engines' });
   */
  update(
    slug: string,
    change: { name?: string | undefined; slug?: string | undefined },
  ): Promise<Organization>;
  /**
   * Deletes an organization, its memberships and its invitations. This cannot be undone.
   *
   * @example await auth.asOperator('ops').organizations.delete('engines');
   */
  delete(slug: string): Promise<void>;
  /**
   * Lists the members of an organization.
   *
   * @param organization the slug or `{ id }`. The slug can change between two pages. The id never changes.
   * @param search `query`: the beginning of a username or display name. `sortBy`: `username` (default) or `id`, the id
   *   of the user. A username can change between two pages. Then a list that is sorted by username can omit or repeat the
   *   member. Every page of a list needs the same `sortBy`.
   * @throws TypeError for another `sortBy`, and for a `query` with `sortBy: 'id'`
   * @throws AuthError `invalid_request` if `query` has more than 254 characters
   * @example const { members } = await auth.asOperator('ops').organizations.listMembers('engines', { query: 'ad' });
   */
  listMembers(
    organization: string | { id: string },
    search?: Partial<PageRequest> & { query?: string | undefined; sortBy?: MemberSortKey | undefined },
  ): Promise<Page<'members', Member>>;
  /**
   * Adds a user to an organization without an invitation.
   *
   * @param member the user, and the role in the organization: `user` (default), `admin` or a role of `organizationRoles`
   * @throws AuthError `not_found` if no user has the username | `account_disabled` | `already_a_member`
   * @throws AuthError `too_many_organizations` if the user belongs to 100 organizations
   * @throws TypeError for an invalid role
   * @example await auth.asOperator('ops').organizations.addMember('engines', { username: 'ada', role: 'admin' });
   */
  addMember(slug: string, member: { username: string; role?: OrganizationRole | undefined }): Promise<Member>;
  /**
   * Changes the role of a member. A change to another role than `admin` revokes the pending invitations that the member
   * created for the organization. The last active organization admin cannot be demoted.
   *
   * @throws AuthError `not_found` if no member has the username | `last_organization_admin`
   * @throws TypeError for an invalid role
   * @example await auth.asOperator('ops').organizations.changeMemberRole('engines', 'ada', 'admin');
   */
  changeMemberRole(slug: string, username: string, role: OrganizationRole): Promise<Member>;
  /**
   * Removes a member. Revokes the pending invitations to the organization that the member created or received. The last
   * active organization admin cannot be removed.
   *
   * @throws AuthError `not_found` if no member has the username | `last_organization_admin`
   * @example await auth.asOperator('ops').organizations.removeMember('engines', 'ada');
   */
  removeMember(slug: string, username: string): Promise<void>;
  /**
   * Creates an invitation to an organization: for one user, or as a link.
   *
   * @throws AuthError `not_found` if no user has the username | `account_disabled` | `already_a_member`
   * @throws AuthError `already_invited` | `too_many_invitations` if the organization or the user has 100 pending
   *   invitations
   * @throws TypeError for an invalid `role` or `expiresInHours`
   * @example const { url } = await auth.asOperator('ops').organizations.invite('engines');
   */
  invite(
    slug: string,
    request?: {
      /** The only user who can accept. If absent, any user with the link can accept, until one user has accepted. */
      username?: string | undefined;
      /** Default: `user`. */
      role?: OrganizationRole | undefined;
      /** A whole number from 1 to 720. Default: 72. */
      expiresInHours?: number | undefined;
    },
  ): Promise<CreatedOrganizationInvitation>;
  /** Lists the invitations to an organization, newest first. */
  listInvitations(
    slug: string,
    search?: Partial<PageRequest> & { status?: OrganizationInvitationStatus | undefined },
  ): Promise<Page<'invitations', OrganizationInvitation>>;
  /** Revokes an invitation to an organization. @throws AuthError `not_found` | `invitation_already_accepted` */
  revokeInvitation(slug: string, id: string): Promise<void>;
  /**
   * Lists the roles of members that `organizationRoles` does not contain. Such a role grants what `user` grants. Reads
   * every membership.
   */
  listUnconfiguredRoles(): Promise<UnconfiguredRole[]>;
}
