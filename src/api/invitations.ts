import * as v from 'valibot';
import { requireCapability } from '../authorization/authorize.ts';
import { isUuid } from '../core/identifiers.ts';
import { defaultHours } from '../core/invitation-lifetime.ts';
import type { Runtime } from '../core/runtime.ts';
import { endpoints } from '../http/endpoint.ts';
import { exactly, invitationHours, text } from '../http/input.ts';
import { pageOf, pageQuery } from '../http/page.ts';
import { id, time } from '../http/resource.ts';
import type { CreatedInvitation, Invitation, InvitationPreview } from '../invitations/invitation.ts';
import { acceptInvitation, previewInvitation } from '../invitations/operations/accept.ts';
import { createInvitation } from '../invitations/operations/create.ts';
import { listInvitations } from '../invitations/operations/list.ts';
import { revokeInvitation } from '../invitations/operations/revoke.ts';
import { type Serve, signIn } from './serve.ts';
import { namedUserResource, userResource } from './users.ts';

const offered = {
  role: v.literal('admin'),
  username: v.pipe(v.nullable(v.string()), v.description('Null: for whoever has the link.')),
  createdBy: v.pipe(
    v.nullable(namedUserResource),
    v.description('Null: an operator, or somebody whose account is deleted.'),
  ),
  expiresAt: time,
};

export const invitationResource = v.object({
  id,
  ...offered,
  status: v.picklist(['pending', 'accepted', 'revoked', 'expired']),
  createdAt: time,
  acceptedBy: v.nullable(namedUserResource),
  acceptedAt: v.nullable(time),
}) satisfies v.GenericSchema<Invitation>;

export const invitationPreviewResource = v.object(offered) satisfies v.GenericSchema<InvitationPreview>;

const status = v.picklist(
  ['pending', 'accepted', 'revoked', 'expired'],
  'expected "pending", "accepted", "revoked" or "expired"',
);

const created = v.object({
  invitation: invitationResource,
  token: v.pipe(v.string(), v.description('Shown this once.')),
  url: v.pipe(v.string(), v.description('The page that accepts it, with the token in the fragment.')),
}) satisfies v.GenericSchema<CreatedInvitation>;

const presented = exactly({ token: text });

export const invitationEndpoints = endpoints({
  listInvitations: {
    on: 'GET /admin/invitations',
    access: 'signed_in',
    budget: 'read',
    summary: 'List invitations',
    description: 'Superadmins; the newest first.',
    query: exactly({ ...pageQuery, status: v.optional(status) }),
    answers: { 200: pageOf('invitations', invitationResource) },
    errors: ['forbidden'],
  },
  createInvitation: {
    on: 'POST /admin/invitations',
    access: 'fresh',
    budget: 'write',
    summary: 'Invite an admin',
    description: 'Superadmins. For one username, or for whoever has the link.',
    body: exactly({
      username: v.optional(text),
      role: v.optional(v.literal('admin', 'expected "admin"'), 'admin'),
      expiresInHours: v.optional(invitationHours, defaultHours),
    }),
    answers: { 201: created },
    errors: ['forbidden', 'username_unacceptable', 'role_already_held', 'account_disabled'],
  },
  // A token in a query would end up in logs.
  previewInvitation: {
    on: 'POST /admin/invitations/preview',
    access: 'anybody',
    budget: 'read',
    summary: 'See what an invitation offers',
    description: 'For whoever holds the token, before they sign in.',
    body: presented,
    answers: { 200: v.object({ invitation: invitationPreviewResource }) },
    errors: ['invitation_not_found', 'invitation_unusable'],
  },
  acceptInvitation: {
    on: 'POST /admin/invitations/accept',
    access: 'signed_in',
    budget: 'write',
    summary: 'Accept an invitation',
    description: 'The account gets the role, the session a new token. Of several acceptances one wins.',
    body: presented,
    answers: { 200: v.object({ user: userResource, invitation: invitationResource }) },
    errors: [
      'invitation_not_found',
      'invitation_unusable',
      'invitation_for_another_user',
      'role_already_held',
    ],
  },
  revokeInvitation: {
    on: 'DELETE /admin/invitations/:id',
    access: 'fresh',
    budget: 'write',
    summary: 'Revoke an invitation',
    description: 'Superadmins.',
    answers: { 204: null },
    errors: ['forbidden', 'not_found', 'invitation_already_accepted'],
  },
});

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
