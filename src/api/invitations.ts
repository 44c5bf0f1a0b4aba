import * as v from 'valibot';
import { defaultHours } from '../core/invitation-lifetime.ts';
import type { Runtime } from '../core/runtime.ts';
import { exactly, invitationHours, oneOf, text } from '../http/input.ts';
import { pageOf, pageQuery } from '../http/page.ts';
import { id, time } from '../http/resource.ts';
import type { CreatedInvitation, Invitation, InvitationPreview } from '../invitations/invitation.ts';
import { acceptInvitation, previewInvitation } from '../invitations/operations/accept.ts';
import { createInvitation } from '../invitations/operations/create.ts';
import { listInvitations } from '../invitations/operations/list.ts';
import { revokeInvitation } from '../invitations/operations/revoke.ts';
import { endpoints } from './endpoint.ts';
import { namedUserResource, userResource } from './resources.ts';
import { idOf, type Serve, signIn } from './serve.ts';

const offered = {
  role: v.literal('admin'),
  username: v.pipe(
    v.nullable(v.string()),
    v.description('The only user who can accept. Null: any one user who has the link.'),
  ),
  createdBy: v.pipe(v.nullable(namedUserResource), v.description('Null: an operator, or a deleted account.')),
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

const status = oneOf(['pending', 'accepted', 'revoked', 'expired']);

const created = v.object({
  invitation: invitationResource,
  token: v.pipe(v.string(), v.description('Shown only once.')),
  url: v.pipe(v.string(), v.description('The invitation page, with the token in the fragment.')),
}) satisfies v.GenericSchema<CreatedInvitation>;

const presented = exactly({ token: text });

export const invitationEndpoints = endpoints({
  listInvitations: {
    on: 'GET /admin/invitations',
    access: 'full_session',
    requires: 'invitation:manage',
    event: 'invitation.list',
    budget: 'read',
    summary: 'List the invitations of admins',
    description: 'Newest first.',
    query: exactly({ ...pageQuery, status: v.optional(status) }),
    answers: { 200: pageOf('invitations', invitationResource) },
  },
  createInvitation: {
    on: 'POST /admin/invitations',
    access: 'fresh',
    requires: 'invitation:manage',
    event: 'invitation.create',
    budget: 'write',
    summary: 'Invite an admin',
    description:
      'With a username, only that user can accept; the user can sign up later. Without a username, any one user who has the link can accept.',
    body: exactly({
      username: v.optional(text),
      role: v.optional(v.literal('admin', 'expected "admin"'), 'admin'),
      expiresInHours: v.optional(invitationHours, defaultHours),
    }),
    answers: { 201: created },
    errors: ['username_unacceptable', 'role_already_held', 'account_disabled'],
  },
  // The token is in the body, because queries end up in logs.
  previewInvitation: {
    on: 'POST /admin/invitations/preview',
    access: 'none',
    budget: 'read',
    summary: 'Preview an invitation',
    description: 'For users who have the link, before they sign in.',
    body: presented,
    answers: { 200: v.object({ invitation: invitationPreviewResource }) },
    errors: ['invitation_not_found', 'invitation_unusable'],
  },
  acceptInvitation: {
    on: 'POST /admin/invitations/accept',
    access: 'full_session',
    event: 'invitation.accept',
    budget: 'write',
    summary: 'Accept an invitation',
    description:
      'The account gets the role, and the session gets a new token. If several users accept at the same time, one succeeds.',
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
    requires: 'invitation:manage',
    event: 'invitation.revoke',
    target: 'invitation',
    budget: 'write',
    summary: 'Revoke an invitation',
    answers: { 204: null },
    errors: ['not_found', 'invitation_already_accepted'],
  },
});

export function invitationRoutes(serve: Serve, runtime: Runtime): void {
  serve(invitationEndpoints.listInvitations, async (ctx, by, { query }) => {
    ctx.body = await listInvitations(runtime, by, query());
  });

  serve(invitationEndpoints.createInvitation, async (ctx, by, { body }) => {
    const input = await body();
    ctx.status = 201;
    ctx.body = await createInvitation(runtime, by, input);
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

  serve(invitationEndpoints.revokeInvitation, async (ctx, by, { body }) => {
    await body();
    await revokeInvitation(runtime, by, idOf(ctx));
    ctx.status = 204;
  });
}
