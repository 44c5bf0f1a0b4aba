import type { Context } from 'koa';
import type { SignedInActor } from '../../core/actor.ts';
import type { Runtime } from '../../core/runtime.ts';
import type { Serve } from '../../http/endpoints.ts';
import { findOrganization } from '../operations/find-organization.ts';
import { organizationInvitationEndpoints, receivedInvitationEndpoints } from './endpoints.ts';
import { acceptInvitationLink, acceptReceivedInvitation } from './operations/accept.ts';
import { createOrganizationInvitation } from './operations/create.ts';
import { declineInvitation } from './operations/decline.ts';
import { listOrganizationInvitations, listReceivedInvitations } from './operations/list.ts';
import { previewOrganizationInvitation } from './operations/preview.ts';
import { revokeOrganizationInvitation } from './operations/revoke.ts';

const capability = 'organization:members:invite';

export function organizationInvitationRoutes(serve: Serve, runtime: Runtime): void {
  adminRoutes(serve, runtime);
  invitedUserRoutes(serve, runtime);
}

function adminRoutes(serve: Serve, runtime: Runtime): void {
  const asked = (ctx: Context, actor: SignedInActor) => ({ actor, organizationId: `${ctx.params.id}` });

  serve(organizationInvitationEndpoints.listOrganizationInvitations, async (ctx, actor, { query }) => {
    const organization = await findOrganization(runtime, asked(ctx, actor), capability, null);
    const { items, nextCursor } = await listOrganizationInvitations(runtime, organization, query());
    ctx.body = { invitations: items, nextCursor };
  });

  serve(organizationInvitationEndpoints.createOrganizationInvitation, async (ctx, actor, { body }) => {
    const event = 'organization_invitation.create';
    const organization = await findOrganization(runtime, asked(ctx, actor), capability, event);
    const input = await body();
    ctx.status = 201;
    ctx.body = await createOrganizationInvitation(runtime, actor, organization, input);
  });

  serve(organizationInvitationEndpoints.revokeOrganizationInvitation, async (ctx, actor, { body }) => {
    const event = 'organization_invitation.revoke';
    const organization = await findOrganization(runtime, asked(ctx, actor), capability, event);
    await body();
    await revokeOrganizationInvitation(runtime, actor, organization, `${ctx.params.invitationId}`);
    ctx.status = 204;
  });
}

function invitedUserRoutes(serve: Serve, runtime: Runtime): void {
  serve(receivedInvitationEndpoints.listReceivedInvitations, async (ctx, actor, { query }) => {
    const { items, nextCursor } = await listReceivedInvitations(runtime, actor, query());
    ctx.body = { invitations: items, nextCursor };
  });

  serve(receivedInvitationEndpoints.acceptReceivedInvitation, async (ctx, actor, { body }) => {
    await body();
    ctx.body = await acceptReceivedInvitation(runtime, actor, `${ctx.params.id}`);
  });

  serve(receivedInvitationEndpoints.declineReceivedInvitation, async (ctx, actor, { body }) => {
    await body();
    await declineInvitation(runtime, actor, `${ctx.params.id}`);
    ctx.status = 204;
  });

  serve(receivedInvitationEndpoints.previewInvitationLink, async (ctx, _, { body }) => {
    const { token } = await body();
    ctx.body = { invitation: await previewOrganizationInvitation(runtime, token) };
  });

  serve(receivedInvitationEndpoints.acceptInvitationLink, async (ctx, actor, { body }) => {
    const { token } = await body();
    ctx.body = await acceptInvitationLink(runtime, actor, token);
  });
}
