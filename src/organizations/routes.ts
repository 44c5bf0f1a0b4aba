import type { Context } from 'koa';
import type { SignedInActor } from '../core/actor.ts';
import type { Runtime } from '../core/runtime.ts';
import type { Serve } from '../http/endpoints.ts';
import { requireCapability } from '../roles/operations.ts';
import { requireFreshFull } from '../sessions/rules.ts';
import { memberEndpoints, organizationEndpoints } from './endpoints.ts';
import { findOrganization } from './operations/find-organization.ts';
import { addMember, changeMemberRole, listMembers, removeMember } from './operations/members.ts';
import {
  changeOrganization,
  foundOrganization,
  listOrganizations,
  removeOrganization,
} from './operations/organizations.ts';

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
