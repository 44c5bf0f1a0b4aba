import { findUserNamed } from '../accounts/operations/find-users.ts';
import type { AuditEventName } from '../audit/event-names.ts';
import { refuse } from '../audit/operations/refuse.ts';
import type { Operator } from '../core/actor.ts';
import { displayName } from '../core/display-name.ts';
import { AuthError } from '../core/errors.ts';
import { defaultHours } from '../core/invitation-lifetime.ts';
import { pageRequest } from '../core/page.ts';
import type { Runtime } from '../core/runtime.ts';
import { longestUsername } from '../core/username-rule.ts';
import type { EntitledIn } from '../organizations/entitled-in.ts';
import { createOrganizationInvitation } from '../organizations/invitations/operations/create.ts';
import { listOrganizationInvitations } from '../organizations/invitations/operations/list.ts';
import { revokeOrganizationInvitation } from '../organizations/invitations/operations/revoke.ts';
import {
  findOrganizationWithId,
  findOrganizationWithSlug,
} from '../organizations/operations/find-organization.ts';
import {
  addMember,
  changeMemberRole,
  listMembers,
  removeMember,
} from '../organizations/operations/members.ts';
import {
  deleteOrganization,
  listOrganizations,
  readCreator,
  updateOrganization,
} from '../organizations/operations/organizations.ts';
import { provisionOrganization } from '../organizations/operations/provision.ts';
import { listUnconfiguredRoles } from '../organizations/operations/unconfigured-roles.ts';
import { memberSortKeys, organizationSortKeys } from '../organizations/organization.ts';
import { isSlug } from '../organizations/rules.ts';
import type { Capability, OrganizationCapability } from '../roles/capabilities.ts';
import type { Entitled } from '../roles/entitled.ts';
import {
  invalid,
  requireLifetime,
  requireOrganizationRole,
  requireSortKey,
  requireText,
  requireUuid,
  timeOf,
} from './operator-arguments.ts';
import type { OperatorOrganizations } from './operator-organizations.ts';

type May = <Name extends Capability>(capability: Name) => Entitled<Name>;

/** Implements `auth.asOperator(name).organizations`. @param may returns the proof of a capability of the operator */
export function organizationActions(runtime: Runtime, operator: Operator, may: May): OperatorOrganizations {
  const find = (slugOrId: string | { id: string }) => {
    if (slugOrId === null || typeof slugOrId !== 'object') {
      requireText('slug', slugOrId);
      return findOrganizationWithSlug(runtime, slugOrId);
    }
    requireText('id', slugOrId.id);
    requireUuid('id', slugOrId.id);
    return findOrganizationWithId(runtime, slugOrId.id);
  };
  const mayIn = async <Name extends OrganizationCapability>(
    capability: Name,
    slugOrId: string | { id: string },
  ): Promise<EntitledIn<Name>> => {
    const organization = await find(slugOrId);
    return { ...may(capability), organization, grantingRoles: null };
  };
  const idOf = async (username: string) => {
    requireText('username', username);
    return (await findUserNamed(runtime, username)).id;
  };

  return ifEnabled(runtime, operator, {
    list: async ({ sortBy, include, ...page } = {}) => {
      requireSortKey(organizationSortKeys, sortBy);
      if (include !== undefined && include !== 'memberCount')
        throw new TypeError(`include: expected "memberCount", not "${include}"`);
      return listOrganizations(runtime, operator, { sortBy, include, ...pageRequest(page) });
    },
    create: async ({ name, slug, admin, createdAt }) => {
      const request = {
        name: nameOf(name),
        slug: slug === undefined ? undefined : slugOf(slug),
        createdAt: creationTimeOf(runtime, createdAt),
      };
      if (admin !== undefined) requireText('admin', admin);
      return provisionOrganization(runtime, may('organization:create'), { ...request, admin });
    },
    get: async (slug) => (await mayIn('organization:read', slug)).organization,
    creatorOf: async (slug) => readCreator(runtime, await mayIn('organization:read', slug)),
    update: async (slug, { name, slug: newSlug }) => {
      const change = {
        ...(name !== undefined && { name: nameOf(name) }),
        ...(newSlug !== undefined && { slug: slugOf(newSlug) }),
      };
      return updateOrganization(runtime, await mayIn('organization:update', slug), change);
    },
    delete: async (slug) => deleteOrganization(runtime, await mayIn('organization:delete', slug)),

    listMembers: async (slugOrId, { query, sortBy, ...page } = {}) => {
      requireSortKey(memberSortKeys, sortBy);
      if (sortBy === 'id' && query !== undefined)
        throw new TypeError('query: cannot be used with sortBy "id"');
      const search = { query: queryOf(query), sortBy, ...pageRequest(page) };
      return listMembers(runtime, await mayIn('organization:members:read', slugOrId), search);
    },
    addMember: async (slug, { username, role = 'user' }) => {
      requireText('username', username);
      requireOrganizationRole(runtime, role);
      return addMember(runtime, await mayIn('organization:members:add', slug), { username, role });
    },
    changeMemberRole: async (slug, username, role) => {
      requireOrganizationRole(runtime, role);
      const by = await mayIn('organization:members:promote', slug);
      return changeMemberRole(runtime, by, { userId: await idOf(username), role });
    },
    removeMember: async (slug, username) => {
      const by = await mayIn('organization:members:remove', slug);
      await removeMember(runtime, by, await idOf(username));
    },

    invite: async (slug, { username, role = 'user', expiresInHours = defaultHours } = {}) => {
      requireOrganizationRole(runtime, role);
      requireLifetime(expiresInHours);
      const request = { username, role, expiresInHours };
      return createOrganizationInvitation(runtime, await mayIn('organization:members:invite', slug), request);
    },
    listInvitations: async (slug, { status, ...page } = {}) => {
      const search = { status, ...pageRequest(page) };
      return listOrganizationInvitations(runtime, await mayIn('organization:members:invite', slug), search);
    },
    revokeInvitation: async (slug, id) =>
      revokeOrganizationInvitation(runtime, await mayIn('organization:members:invite', slug), id),
    listUnconfiguredRoles: () => listUnconfiguredRoles(runtime, may('user:read')),
  });
}

/** The event of each action. Null: the action only reads, and the audit log has no event for it. */
const events: Record<keyof OperatorOrganizations, AuditEventName | null> = {
  list: null,
  create: 'organization.create',
  get: null,
  creatorOf: null,
  update: 'organization.update',
  delete: 'organization.delete',
  listMembers: null,
  addMember: 'member.add',
  changeMemberRole: 'member.change_role',
  removeMember: 'member.remove',
  invite: 'organization_invitation.create',
  listInvitations: null,
  revokeInvitation: 'organization_invitation.revoke',
  listUnconfiguredRoles: null,
};

/**
 * Refuses every action if the service has no organizations. Records the refusals of actions that change something.
 *
 * @throws AuthError `feature_disabled`
 */
function ifEnabled(
  runtime: Runtime,
  operator: Operator,
  actions: OperatorOrganizations,
): OperatorOrganizations {
  if (runtime.config.organizations !== null) return actions;
  const refused = (event: AuditEventName | null) => async () => {
    const code = 'feature_disabled';
    if (event === null) throw new AuthError(code);
    return refuse(runtime, operator, { event, code, reason: 'organizations_off' });
  };
  return Object.fromEntries(
    Object.entries(events).map(([name, event]) => [name, refused(event)]),
  ) as unknown as OperatorOrganizations;
}

function nameOf(given: string): string {
  requireText('name', given);
  const name = displayName(given);
  if (name === null) throw invalid('name', 'expected 1 to 64 characters without control characters');
  return name;
}

function slugOf(given: string): string {
  requireText('slug', given);
  if (!isSlug(given)) throw invalid('slug', 'expected 2 to 48 lowercase letters, digits and hyphens');
  return given;
}

function queryOf(given: string | undefined): string | undefined {
  if (given === undefined) return undefined;
  requireText('query', given);
  if (given.length > longestUsername)
    throw invalid('query', `expected at most ${longestUsername} characters`);
  return given;
}

function creationTimeOf({ clock }: Runtime, given: Date | undefined): string | undefined {
  const time = timeOf('createdAt', given);
  if (given !== undefined && given > clock()) throw invalid('createdAt', 'expected a time in the past');
  return time;
}
