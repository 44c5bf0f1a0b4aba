import type { Context } from 'koa';
import * as v from 'valibot';
import type { Runtime } from '../core/runtime.ts';
import { exactly, oneOf, shortText, text } from '../http/input.ts';
import { pageOf, pageQuery } from '../http/page.ts';
import { id, time } from '../http/resource.ts';
import {
  addMember,
  changeMemberRole,
  leaveOrganization,
  listMembers,
  removeMember,
} from '../organizations/operations/members.ts';
import {
  createOrganization,
  deleteOrganization,
  listOrganizations,
  updateOrganization,
} from '../organizations/operations/organizations.ts';
import type {
  ListedOrganization,
  Member,
  Organization,
  UserOrganization,
} from '../organizations/organization.ts';
import { isSlug, slugPattern } from '../organizations/rules.ts';
import { endpoints } from './endpoint.ts';
import { organizationRole, organizationRoleInput, requireConfigured } from './organization-roles.ts';
import { namedUserResource, userQuery } from './resources.ts';
import type { Serve } from './serve.ts';

export const organizationResource = v.object({
  id,
  name: v.string(),
  slug: v.pipe(v.string(), v.description('The unique short name.')),
  createdAt: time,
  myRole: v.pipe(
    v.nullable(organizationRole),
    v.description(
      'The caller’s role in the organization. Null: the caller is a superadmin and not a member.',
    ),
  ),
}) satisfies v.GenericSchema<Organization>;

const listedOrganizationResource = v.object({
  ...organizationResource.entries,
  memberCount: v.exactOptional(
    v.pipe(
      v.object({
        count: v.pipe(v.number(), v.integer(), v.description('At most 1,000.')),
        exact: v.pipe(v.boolean(), v.description('False: there are more than `count` members.')),
      }),
      v.description('With `include=memberCount`, if the caller can read the members.'),
    ),
  ),
}) satisfies v.GenericSchema<ListedOrganization>;

export const memberResource = v.object({
  user: v.object({ ...namedUserResource.entries, displayName: v.nullable(v.string()) }),
  role: organizationRole,
  joinedAt: time,
}) satisfies v.GenericSchema<Member>;

export const userOrganizationResource = v.object({
  id,
  slug: v.string(),
  name: v.string(),
  role: v.pipe(organizationRole, v.description('The user’s role in the organization.')),
}) satisfies v.GenericSchema<UserOrganization>;

const slug = v.pipe(
  text,
  v.metadata({ pattern: slugPattern.source }),
  v.check(isSlug, 'expected 2 to 48 lowercase letters, digits and hyphens'),
);

const organization = v.object({ organization: organizationResource });
const member = v.object({ member: memberResource });

export const organizationEndpoints = endpoints(
  {
    listOrganizations: {
      on: 'GET /organizations',
      access: 'full_session',
      budget: 'read',
      summary: 'List your organizations',
      description: 'Sorted by slug. In a privileged session, superadmins get every organization.',
      query: exactly({
        ...pageQuery,
        include: v.optional(
          v.pipe(oneOf(['memberCount']), v.description('Adds the number of members of each organization.')),
        ),
      }),
      answers: { 200: pageOf('organizations', listedOrganizationResource) },
    },
    createOrganization: {
      on: 'POST /organizations',
      access: 'fresh',
      requires: 'organization:create',
      event: 'organization.create',
      budget: 'write',
      summary: 'Create an organization',
      description:
        'The caller becomes an organization admin. Without `slug`, the service derives the slug from the name.',
      body: exactly({ name: shortText, slug: v.optional(slug) }),
      answers: { 201: organization },
      errors: ['slug_taken', 'too_many_organizations'],
    },
    getOrganization: {
      on: 'GET /organizations/:id',
      access: 'full_session',
      requires: 'organization:read',
      budget: 'read',
      summary: 'Get an organization',
      answers: { 200: organization },
    },
    updateOrganization: {
      on: 'PATCH /organizations/:id',
      access: 'fresh',
      requires: 'organization:update',
      event: 'organization.update',
      target: 'organization',
      budget: 'write',
      summary: 'Change the name or slug of an organization',
      body: exactly({ name: v.optional(shortText), slug: v.optional(slug) }),
      answers: { 200: organization },
      errors: ['slug_taken'],
    },
    deleteOrganization: {
      on: 'DELETE /organizations/:id',
      access: 'fresh',
      requires: 'organization:delete',
      event: 'organization.delete',
      target: 'organization',
      budget: 'write',
      summary: 'Delete an organization and its memberships',
      description: 'This cannot be undone.',
      answers: { 204: null },
      errors: ['still_referenced'],
    },
    leaveOrganization: {
      on: 'DELETE /organizations/:id/membership',
      access: 'full_session',
      requires: 'organization:leave',
      event: 'member.leave',
      target: 'organization',
      budget: 'write',
      summary: 'Leave an organization',
      description:
        'Ends the caller’s own membership. Revokes the organization’s pending invitations that the caller created or received.',
      answers: { 204: null },
      errors: ['last_organization_admin'],
    },
  },
  'organizations',
);

export const memberEndpoints = endpoints(
  {
    listMembers: {
      on: 'GET /organizations/:id/members',
      access: 'full_session',
      requires: 'organization:members:read',
      budget: 'read',
      summary: 'List the members of an organization',
      description: 'Sorted by username.',
      query: exactly({ ...pageQuery, query: userQuery }),
      answers: { 200: pageOf('members', memberResource) },
    },
    addMember: {
      on: 'POST /organizations/:id/members',
      access: 'fresh',
      requires: 'organization:members:add',
      event: 'member.add',
      target: 'organization',
      budget: 'write',
      summary: 'Add a user to an organization without an invitation',
      description: 'Returns 404 if no user has the username.',
      body: exactly({ username: text, role: v.optional(organizationRoleInput, 'user') }),
      answers: { 201: member },
      errors: ['account_disabled', 'already_a_member', 'too_many_organizations'],
    },
    changeMemberRole: {
      on: 'PATCH /organizations/:id/members/:userId',
      access: 'fresh',
      requires: 'organization:members:promote',
      event: 'member.change_role',
      target: 'organization',
      budget: 'write',
      summary: 'Change the role of a member in an organization',
      description:
        'A change to another role than `admin` revokes the organization’s pending invitations that the member created. Only organization admins and superadmins can give or take the role `admin`. A member with another role needs all capabilities of the old and the new role.',
      body: exactly({ role: organizationRoleInput }),
      answers: { 200: member },
      errors: ['last_organization_admin'],
    },
    removeMember: {
      on: 'DELETE /organizations/:id/members/:userId',
      access: 'fresh',
      requires: 'organization:members:remove',
      event: 'member.remove',
      target: 'organization',
      budget: 'write',
      summary: 'Remove a member from an organization',
      description:
        'Revokes the organization’s pending invitations that the member created or received. Only organization admins and superadmins can remove an organization admin. A member with another role needs all capabilities of the role of the removed member.',
      answers: { 204: null },
      errors: ['last_organization_admin'],
    },
  },
  'organizations',
);

export function organizationRoutes(serve: Serve, runtime: Runtime): void {
  ownRoutes(serve, runtime);
  memberRoutes(serve, runtime);
}

function ownRoutes(serve: Serve, runtime: Runtime): void {
  serve(organizationEndpoints.listOrganizations, async (ctx, actor, { query }) => {
    ctx.body = await listOrganizations(runtime, actor, query());
  });

  serve(organizationEndpoints.createOrganization, async (ctx, by, { body, read }) => {
    const input = { ...(await body()), adminId: read.user.id };
    ctx.status = 201;
    ctx.body = { organization: await createOrganization(runtime, by, input) };
  });

  serve(organizationEndpoints.getOrganization, async (ctx, { organization }) => {
    ctx.body = { organization };
  });

  serve(organizationEndpoints.updateOrganization, async (ctx, by, { body }) => {
    ctx.body = { organization: await updateOrganization(runtime, by, await body()) };
  });

  serve(organizationEndpoints.deleteOrganization, async (ctx, by, { body }) => {
    await body();
    await deleteOrganization(runtime, by);
    ctx.status = 204;
  });

  serve(organizationEndpoints.leaveOrganization, async (ctx, by, { body, read }) => {
    await body();
    await leaveOrganization(runtime, by, read.user.id);
    ctx.status = 204;
  });
}

function memberRoutes(serve: Serve, runtime: Runtime): void {
  serve(memberEndpoints.listMembers, async (ctx, by, { query }) => {
    ctx.body = await listMembers(runtime, by, query());
  });

  serve(memberEndpoints.addMember, async (ctx, by, { body }) => {
    const input = requireConfigured(runtime, await body());
    ctx.status = 201;
    ctx.body = { member: await addMember(runtime, by, input) };
  });

  serve(memberEndpoints.changeMemberRole, async (ctx, by, { body }) => {
    const { role } = requireConfigured(runtime, await body());
    ctx.body = { member: await changeMemberRole(runtime, by, { userId: userIdOf(ctx), role }) };
  });

  serve(memberEndpoints.removeMember, async (ctx, by, { body }) => {
    await body();
    await removeMember(runtime, by, userIdOf(ctx));
    ctx.status = 204;
  });
}

const userIdOf = (ctx: Context): string => `${ctx.params.userId}`;
