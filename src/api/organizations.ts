import type { Context } from 'koa';
import * as v from 'valibot';
import { requireCapability } from '../authorization/authorize.ts';
import type { SignedInActor } from '../core/actor.ts';
import type { Runtime } from '../core/runtime.ts';
import { endpoints } from '../http/endpoint.ts';
import { exactly, shortText, text } from '../http/input.ts';
import { pageOf, pageQuery } from '../http/page.ts';
import { id, time } from '../http/resource.ts';
import { findOrganization } from '../organizations/operations/find-organization.ts';
import {
  addMember,
  changeMemberRole,
  listMembers,
  removeMember,
} from '../organizations/operations/members.ts';
import {
  changeOrganization,
  foundOrganization,
  listOrganizations,
  removeOrganization,
} from '../organizations/operations/organizations.ts';
import type { Member, Organization } from '../organizations/organization.ts';
import { isSlug, slugPattern } from '../organizations/rules.ts';
import { requireFreshFull } from '../sessions/rules.ts';
import type { Serve } from './serve.ts';
import { namedUserResource } from './users.ts';

/** A role within an organization, in a request. */
export const membershipRoleInput = v.picklist(['user', 'admin'], 'expected "user" or "admin"');

export const membershipRole = v.picklist(['user', 'admin']);

export const organizationResource = v.object({
  id,
  name: v.string(),
  slug: v.pipe(v.string(), v.description('Its short name, which no other organization has.')),
  createdAt: time,
  myRole: v.pipe(
    v.nullable(membershipRole),
    v.description('The caller’s role in it; null for a superadmin who is no member.'),
  ),
}) satisfies v.GenericSchema<Organization>;

export const memberResource = v.object({
  user: namedUserResource,
  role: membershipRole,
  joinedAt: time,
}) satisfies v.GenericSchema<Member>;

const slug = v.pipe(
  text,
  v.metadata({ pattern: slugPattern.source }),
  v.check(isSlug, 'expected 2 to 48 lower case letters, digits and hyphens'),
);

const organization = v.object({ organization: organizationResource });
const member = v.object({ member: memberResource });

export const organizationEndpoints = endpoints({
  listOrganizations: {
    on: 'GET /organizations',
    access: 'signed_in',
    budget: 'read',
    summary: 'List one’s organizations',
    description: 'By slug; a superadmin’s list has all.',
    query: exactly(pageQuery),
    answers: { 200: pageOf('organizations', organizationResource) },
  },
  createOrganization: {
    on: 'POST /organizations',
    access: 'fresh',
    budget: 'write',
    summary: 'Found an organization',
    description: 'Admins, who become its admin. The slug is made of the name where none is given.',
    body: exactly({ name: shortText, slug: v.optional(slug) }),
    answers: { 201: organization },
    errors: ['forbidden', 'slug_taken'],
  },
  readOrganization: {
    on: 'GET /organizations/:id',
    access: 'signed_in',
    budget: 'read',
    summary: 'Read an organization',
    description: 'Members; to others it is not there.',
    answers: { 200: organization },
    errors: ['not_found'],
  },
  updateOrganization: {
    on: 'PATCH /organizations/:id',
    access: 'fresh',
    budget: 'write',
    summary: 'Change an organization’s name or slug',
    description: 'For admins of the organization.',
    body: exactly({ name: v.optional(shortText), slug: v.optional(slug) }),
    answers: { 200: organization },
    errors: ['forbidden', 'not_found', 'slug_taken'],
  },
  deleteOrganization: {
    on: 'DELETE /organizations/:id',
    access: 'fresh',
    budget: 'write',
    summary: 'Delete an organization and its memberships',
    description: 'For admins of the organization.',
    answers: { 204: null },
    errors: ['forbidden', 'not_found'],
  },
});

export const memberEndpoints = endpoints({
  listMembers: {
    on: 'GET /organizations/:id/members',
    access: 'signed_in',
    budget: 'read',
    summary: 'List the members of an organization',
    description: 'Members; by username.',
    query: exactly(pageQuery),
    answers: { 200: pageOf('members', memberResource) },
    errors: ['not_found'],
  },
  addMember: {
    on: 'POST /organizations/:id/members',
    access: 'fresh',
    budget: 'write',
    summary: 'Add a user to an organization without an invitation',
    description: 'For superadmins. 404 if no user has the username.',
    body: exactly({ username: text, role: v.optional(membershipRoleInput, 'user') }),
    answers: { 201: member },
    errors: ['forbidden', 'not_found', 'account_disabled', 'already_a_member'],
  },
  changeMemberRole: {
    on: 'PATCH /organizations/:id/members/:userId',
    access: 'fresh',
    budget: 'write',
    summary: 'Promote or demote a member within an organization',
    description: 'For admins of the organization.',
    body: exactly({ role: membershipRoleInput }),
    answers: { 200: member },
    errors: ['forbidden', 'not_found', 'last_organization_admin'],
  },
  removeMember: {
    on: 'DELETE /organizations/:id/members/:userId',
    // Whoever leaves needs no fresh authentication; whoever removes somebody else does.
    access: 'signed_in',
    budget: 'write',
    summary: 'Remove a member, or leave',
    description: 'Its admins, with fresh authentication; everybody themself.',
    answers: { 204: null },
    errors: ['reauthentication_required', 'forbidden', 'not_found', 'last_organization_admin'],
  },
});

export function organizationRoutes(serve: Serve, runtime: Runtime): void {
  ownRoutes(serve, runtime);
  memberRoutes(serve, runtime);
}

function ownRoutes(serve: Serve, runtime: Runtime): void {
  serve(organizationEndpoints.listOrganizations, async (ctx, actor, { query }) => {
    const page = query();
    const { items, nextCursor } = await listOrganizations(runtime, actor, page);
    ctx.body = { organizations: items, nextCursor };
  });

  serve(organizationEndpoints.createOrganization, async (ctx, actor, { body }) => {
    await requireCapability(runtime, actor, 'organization:create', { event: 'organization.create' });
    const input = await body();
    ctx.status = 201;
    ctx.body = { organization: await foundOrganization(runtime, actor, input) };
  });

  serve(organizationEndpoints.readOrganization, async (ctx, actor) => {
    ctx.body = {
      organization: await findOrganization(runtime, asked(ctx, actor), 'organization:read', null),
    };
  });

  serve(organizationEndpoints.updateOrganization, async (ctx, actor, { body }) => {
    const capability = 'organization:update';
    const organization = await findOrganization(
      runtime,
      asked(ctx, actor),
      capability,
      'organization.update',
    );
    const change = await body();
    ctx.body = { organization: await changeOrganization(runtime, actor, organization, change) };
  });

  serve(organizationEndpoints.deleteOrganization, async (ctx, actor, { body }) => {
    const capability = 'organization:delete';
    const organization = await findOrganization(
      runtime,
      asked(ctx, actor),
      capability,
      'organization.delete',
    );
    await body();
    await removeOrganization(runtime, actor, organization);
    ctx.status = 204;
  });
}

function memberRoutes(serve: Serve, runtime: Runtime): void {
  serve(memberEndpoints.listMembers, async (ctx, actor, { query }) => {
    const capability = 'organization:members:read';
    const organization = await findOrganization(runtime, asked(ctx, actor), capability, null);
    const { items, nextCursor } = await listMembers(runtime, organization, query());
    ctx.body = { members: items, nextCursor };
  });

  serve(memberEndpoints.addMember, async (ctx, actor, { body }) => {
    const capability = 'organization:members:add';
    const organization = await findOrganization(runtime, asked(ctx, actor), capability, 'member.add');
    const input = await body();
    ctx.status = 201;
    ctx.body = { member: await addMember(runtime, actor, organization, input) };
  });

  serve(memberEndpoints.changeMemberRole, async (ctx, actor, { body }) => {
    const capability = 'organization:members:promote';
    const organization = await findOrganization(runtime, asked(ctx, actor), capability, 'member.change_role');
    const { role } = await body();
    const userId = `${ctx.params.userId}`;
    ctx.body = { member: await changeMemberRole(runtime, actor, organization, { userId, role }) };
  });

  serve(memberEndpoints.removeMember, async (ctx, actor, { body, read }) => {
    const userId = `${ctx.params.userId}`;
    const leaves = userId === actor.user.id;
    if (!leaves) requireFreshFull(read);
    const capability = leaves ? 'organization:leave' : 'organization:members:remove';
    const event = leaves ? 'member.leave' : 'member.remove';
    const organization = await findOrganization(runtime, asked(ctx, actor), capability, event);
    await body();
    await removeMember(runtime, actor, organization, userId);
    ctx.status = 204;
  });
}

const asked = (ctx: Context, actor: SignedInActor) => ({ actor, organizationId: `${ctx.params.id}` });
