import type { Context } from 'koa';
import type { SignedInActor } from '../core/actor.ts';
import type { Runtime } from '../core/runtime.ts';
import type { Endpoints } from '../http/endpoints.ts';
import { exactly, nothing } from '../http/input.ts';
import { pageQuery } from '../http/page.ts';
import { readBody, readQuery } from '../http/read-body.ts';
import { requireCapability } from '../roles/operations.ts';
import { requireFreshFull } from '../sessions/rules.ts';
import { memberUpdate, newMember, newOrganization, organizationUpdate } from './input.ts';
import { findOrganization } from './operations/find-organization.ts';
import { addMember, changeMemberRole, listMembers, removeMember } from './operations/members.ts';
import {
  changeOrganization,
  foundOrganization,
  listOrganizations,
  removeOrganization,
} from './operations/organizations.ts';

export function organizationRoutes(endpoints: Endpoints, runtime: Runtime): void {
  ownRoutes(endpoints, runtime);
  memberRoutes(endpoints, runtime);
}

function ownRoutes({ signedIn, fresh }: Endpoints, runtime: Runtime): void {
  signedIn('get', '/organizations', 'read', async (ctx, actor) => {
    const page = readQuery(ctx, exactly(pageQuery));
    const { items, nextCursor } = await listOrganizations(runtime, actor, page);
    ctx.body = { organizations: items, nextCursor };
  });

  fresh('post', '/organizations', 'write', async (ctx, actor) => {
    await requireCapability(runtime, actor, 'organization:create', { event: 'organization.create' });
    const input = await readBody(ctx, newOrganization);
    ctx.status = 201;
    ctx.body = { organization: await foundOrganization(runtime, actor, input) };
  });

  signedIn('get', '/organizations/:id', 'read', async (ctx, actor) => {
    ctx.body = {
      organization: await findOrganization(runtime, asked(ctx, actor), 'organization:read', null),
    };
  });

  fresh('patch', '/organizations/:id', 'write', async (ctx, actor) => {
    const capability = 'organization:update';
    const organization = await findOrganization(
      runtime,
      asked(ctx, actor),
      capability,
      'organization.update',
    );
    const change = await readBody(ctx, organizationUpdate);
    ctx.body = { organization: await changeOrganization(runtime, actor, organization, change) };
  });

  fresh('delete', '/organizations/:id', 'write', async (ctx, actor) => {
    const capability = 'organization:delete';
    const organization = await findOrganization(
      runtime,
      asked(ctx, actor),
      capability,
      'organization.delete',
    );
    await readBody(ctx, nothing);
    await removeOrganization(runtime, actor, organization);
    ctx.status = 204;
  });
}

function memberRoutes({ signedIn, fresh }: Endpoints, runtime: Runtime): void {
  signedIn('get', '/organizations/:id/members', 'read', async (ctx, actor) => {
    const capability = 'organization:members:read';
    const organization = await findOrganization(runtime, asked(ctx, actor), capability, null);
    const { items, nextCursor } = await listMembers(
      runtime,
      organization,
      readQuery(ctx, exactly(pageQuery)),
    );
    ctx.body = { members: items, nextCursor };
  });

  fresh('post', '/organizations/:id/members', 'write', async (ctx, actor) => {
    const capability = 'organization:members:add';
    const organization = await findOrganization(runtime, asked(ctx, actor), capability, 'member.add');
    const input = await readBody(ctx, newMember);
    ctx.status = 201;
    ctx.body = { member: await addMember(runtime, actor, organization, input) };
  });

  fresh('patch', '/organizations/:id/members/:userId', 'write', async (ctx, actor) => {
    const capability = 'organization:members:promote';
    const organization = await findOrganization(runtime, asked(ctx, actor), capability, 'member.change_role');
    const { role } = await readBody(ctx, memberUpdate);
    const userId = `${ctx.params.userId}`;
    ctx.body = { member: await changeMemberRole(runtime, actor, organization, { userId, role }) };
  });

  // Whoever leaves needs no fresh authentication; whoever removes somebody else does.
  signedIn('delete', '/organizations/:id/members/:userId', 'write', async (ctx, actor, read) => {
    const userId = `${ctx.params.userId}`;
    const leaves = userId === actor.user.id;
    if (!leaves) requireFreshFull(read);
    const capability = leaves ? 'organization:leave' : 'organization:members:remove';
    const event = leaves ? 'member.leave' : 'member.remove';
    const organization = await findOrganization(runtime, asked(ctx, actor), capability, event);
    await readBody(ctx, nothing);
    await removeMember(runtime, actor, organization, userId);
    ctx.status = 204;
  });
}

const asked = (ctx: Context, actor: SignedInActor) => ({ actor, organizationId: `${ctx.params.id}` });
