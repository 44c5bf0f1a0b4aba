import { isUuid } from '../core/identifiers.ts';
import type { Runtime } from '../core/runtime.ts';
import { type Serve, signIn } from '../http/endpoints.ts';
import { requireCapability } from '../roles/operations.ts';
import { invitationEndpoints } from './endpoints.ts';
import { acceptInvitation, previewInvitation } from './operations/accept.ts';
import { createInvitation } from './operations/create.ts';
import { listInvitations } from './operations/list.ts';
import { revokeInvitation } from './operations/revoke.ts';

const capability = 'invitation:manage';

export function invitationRoutes(serve: Serve, runtime: Runtime): void {
  serve(invitationEndpoints.listInvitations, async (ctx, actor, { query }) => {
    await requireCapability(runtime, actor, capability, { event: 'invitation.list' });
    const { items, nextCursor } = await listInvitations(runtime, query());
    ctx.body = { invitations: items, nextCursor };
  });

  serve(invitationEndpoints.createInvitation, async (ctx, actor, { body }) => {
    await requireCapability(runtime, actor, capability, { event: 'invitation.create' });
    const input = await body();
    ctx.status = 201;
    ctx.body = await createInvitation(runtime, actor, input);
  });

  serve(invitationEndpoints.previewInvitation, async (ctx, _, { body }) => {
    const { token } = await body();
    ctx.body = { invitation: await previewInvitation(runtime, token) };
  });

  serve(invitationEndpoints.acceptInvitation, async (ctx, actor, { body }) => {
    const { token } = await body();
    const { user, invitation, ...opened } = await acceptInvitation(runtime, actor, token);
    signIn(ctx, runtime, opened);
    ctx.body = { user, invitation };
  });

  serve(invitationEndpoints.revokeInvitation, async (ctx, actor, { body }) => {
    const id = `${ctx.params.id}`;
    const target = { type: 'invitation', id: isUuid(id) ? id : null, name: null } as const;
    await requireCapability(runtime, actor, capability, { event: 'invitation.revoke', target });
    await body();
    await revokeInvitation(runtime, actor, id);
    ctx.status = 204;
  });
}
