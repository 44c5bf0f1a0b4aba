import { isUuid } from '../core/identifiers.ts';
import type { Runtime } from '../core/runtime.ts';
import { type Endpoints, signIn } from '../http/endpoints.ts';
import { nothing } from '../http/input.ts';
import { readBody, readQuery } from '../http/read-body.ts';
import { requireCapability } from '../roles/operations.ts';
import { invitationsQuery, newInvitation, presentedInvitation } from './input.ts';
import { acceptInvitation, previewInvitation } from './operations/accept.ts';
import { createInvitation } from './operations/create.ts';
import { listInvitations } from './operations/list.ts';
import { revokeInvitation } from './operations/revoke.ts';

const path = '/admin/invitations';
const capability = 'invitation:manage';

export function invitationRoutes({ open, signedIn, fresh }: Endpoints, runtime: Runtime): void {
  signedIn('get', path, 'read', async (ctx, actor) => {
    await requireCapability(runtime, actor, capability, { event: 'invitation.list' });
    const { items, nextCursor } = await listInvitations(runtime, readQuery(ctx, invitationsQuery));
    ctx.body = { invitations: items, nextCursor };
  });

  fresh('post', path, 'write', async (ctx, actor) => {
    await requireCapability(runtime, actor, capability, { event: 'invitation.create' });
    const input = await readBody(ctx, newInvitation);
    ctx.status = 201;
    ctx.body = await createInvitation(runtime, actor, input);
  });

  // Whoever holds the token sees what it offers before they sign in; a token in a query would end up in logs.
  open('post', `${path}/preview`, 'read', async (ctx) => {
    const { token } = await readBody(ctx, presentedInvitation);
    ctx.body = { invitation: await previewInvitation(runtime, token) };
  });

  signedIn('post', `${path}/accept`, 'write', async (ctx, actor) => {
    const { token } = await readBody(ctx, presentedInvitation);
    const { user, invitation, ...opened } = await acceptInvitation(runtime, actor, token);
    signIn(ctx, runtime, opened);
    ctx.body = { user, invitation };
  });

  fresh('delete', `${path}/:id`, 'write', async (ctx, actor) => {
    const id = `${ctx.params.id}`;
    const target = { type: 'invitation', id: isUuid(id) ? id : null, name: null } as const;
    await requireCapability(runtime, actor, capability, { event: 'invitation.revoke', target });
    await readBody(ctx, nothing);
    await revokeInvitation(runtime, actor, id);
    ctx.status = 204;
  });
}
