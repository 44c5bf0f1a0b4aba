import * as v from 'valibot';
import { defaultHours } from '../core/invitation-lifetime.ts';
import type { Runtime } from '../core/runtime.ts';
import { exactly, invitationHours, oneOf, text } from '../http/input.ts';
import { pageOf, pageQuery } from '../http/page.ts';
import { id, time } from '../http/resource.ts';
import type { CreatedInvitation, Invitation, InvitationPreview } from '../invitations/invitation.ts';
import { acceptInvitation, previewInvitation } from '../invitations/operations/accept.ts';
import { createInvitation, createUserInvitation } from '../invitations/operations/create.ts';
import { listInvitations, listUserInvitations } from '../invitations/operations/list.ts';
import { revokeInvitation, revokeUserInvitation } from '../invitations/operations/revoke.ts';
import { endpoints } from './endpoint.ts';
import { namedUserResource, userResource } from './resources.ts';
import { idOf, type Serve, signIn } from './serve.ts';

const offered = {
  role: v.picklist(['user', 'admin']),
  username: v.pipe(
    v.nullable(v.string()),
    v.description(
      'The only user who can accept, or the only username that can sign up. Null: any user with the link, until one user has accepted or signed up.',
    ),
  ),
  createdBy: v.pipe(
    v.nullable(namedUserResource),
    v.description('The user who created the invitation. Null: an operator, or a user who was deleted.'),
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

const status = oneOf(['pending', 'accepted', 'revoked', 'expired']);

const created = v.object({
  invitation: invitationResource,
  token: v.pipe(v.string(), v.description('The secret in the link. Shown only once.')),
  url: v.pipe(
    v.string(),
    v.description('The link: the URL of the invitation page, with the token in the fragment.'),
  ),
}) satisfies v.GenericSchema<CreatedInvitation>;

const presented = exactly({ token: text });

export const invitationEndpoints = endpoints(
  {
    listInvitations: {
      on: 'GET /admin/invitations',
      access: 'full_session',
      requires: 'invitation:manage',
      event: 'invitation.list',
      budget: 'read',
      summary: 'List invitations',
      description: 'Admin invitations, and the user invitations of all users. Newest first.',
      query: exactly({
        ...pageQuery,
        status: v.optional(status),
        role: v.optional(oneOf(['user', 'admin'])),
      }),
      answers: { 200: pageOf('invitations', invitationResource) },
    },
    createInvitation: {
      on: 'POST /admin/invitations',
      access: 'fresh',
      requires: 'invitation:manage',
      needs: 'admin_invitations',
      event: 'invitation.create',
      budget: 'write',
      summary: 'Invite a user to become an admin',
      description:
        'With `username`, only that user can accept. The account does not need to exist yet. Without `username`, the first user who accepts with the link becomes an admin.',
      body: exactly({
        username: v.optional(text),
        role: v.optional(v.literal('admin', 'expected "admin"'), 'admin'),
        expiresInHours: v.optional(invitationHours, defaultHours),
      }),
      answers: { 201: created },
      errors: ['username_unacceptable', 'role_already_held', 'account_disabled', 'too_many_invitations'],
    },
    // The token is in the body, because servers and proxies write query strings to their logs.
    previewInvitation: {
      on: 'POST /admin/invitations/preview',
      access: 'none',
      budget: 'read',
      summary: 'Preview an invitation',
      description:
        'For admin invitations and user invitations. Needs the token from the link, but no session.',
      body: presented,
      answers: { 200: v.object({ invitation: invitationPreviewResource }) },
      errors: ['invitation_not_found', 'invitation_unusable'],
    },
    acceptInvitation: {
      on: 'POST /admin/invitations/accept',
      access: 'full_session',
      needs: 'admin_invitations',
      event: 'invitation.accept',
      returnsToken: true,
      budget: 'write',
      summary: 'Accept an admin invitation',
      description:
        'The caller becomes an admin, and the session gets a new token. An invitation can be accepted only once. Unfinished recoveries of the account are canceled.',
      body: presented,
      answers: { 200: v.object({ user: userResource, invitation: invitationResource }) },
      errors: [
        'invitation_not_found',
        'invitation_unusable',
        'invitation_for_another_user',
        'role_already_held',
        'authenticator_not_allowed',
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
      description:
        'Revokes an admin invitation, or a user invitation of any user. Does nothing if the invitation is already revoked.',
      answers: { 204: null },
      errors: ['not_found', 'invitation_already_accepted'],
    },
    listUserInvitations: {
      on: 'GET /admin/user-invitations',
      access: 'full_session',
      requires: 'user:invite',
      event: 'invitation.list',
      budget: 'read',
      summary: 'List your user invitations',
      description: 'The user invitations that the caller created. Newest first.',
      query: exactly({ ...pageQuery, status: v.optional(status) }),
      answers: { 200: pageOf('invitations', invitationResource) },
    },
    createUserInvitation: {
      on: 'POST /admin/user-invitations',
      access: 'fresh',
      requires: 'user:invite',
      event: 'invitation.create',
      budget: 'write',
      summary: 'Invite a user to sign up',
      description:
        'The user signs up with the token in the link, and the account gets the role `user`. With `username`, the user can sign up only with this username. If the role or the status of the creator changes, the invitation is revoked.',
      body: exactly({
        username: v.optional(text),
        expiresInHours: v.optional(invitationHours, defaultHours),
      }),
      answers: { 201: created },
      errors: ['username_unacceptable', 'role_already_held', 'too_many_invitations', 'sign_up_closed'],
    },
    revokeUserInvitation: {
      on: 'DELETE /admin/user-invitations/:id',
      access: 'fresh',
      requires: 'user:invite',
      event: 'invitation.revoke',
      target: 'invitation',
      budget: 'write',
      summary: 'Revoke your user invitation',
      description:
        'Revokes a user invitation that the caller created. Does nothing if the invitation is already revoked.',
      answers: { 204: null },
      errors: ['not_found', 'invitation_already_accepted'],
    },
  },
  'invitations',
);

export function invitationRoutes(serve: Serve, runtime: Runtime): void {
  serve(invitationEndpoints.listInvitations, async (ctx, by, { query }) => {
    ctx.body = await listInvitations(runtime, by, query());
  });

  serve(invitationEndpoints.createInvitation, async (ctx, by, { body }) => {
    const { username, expiresInHours } = await body();
    ctx.status = 201;
    ctx.body = await createInvitation(runtime, by, { username, expiresInHours });
  });

  serve(invitationEndpoints.previewInvitation, async (ctx, _, { body }) => {
    const { token } = await body();
    ctx.body = { invitation: await previewInvitation(runtime, token) };
  });

  serve(invitationEndpoints.acceptInvitation, async (ctx, actor, { body }) => {
    const { token } = await body();
    const { user, invitation, ...opened } = await acceptInvitation(runtime, actor, token);
    signIn(ctx, runtime, user, opened);
    ctx.body = { user, invitation };
  });

  serve(invitationEndpoints.revokeInvitation, async (ctx, by, { body }) => {
    await body();
    await revokeInvitation(runtime, by, idOf(ctx));
    ctx.status = 204;
  });

  serve(invitationEndpoints.listUserInvitations, async (ctx, by, { query }) => {
    ctx.body = await listUserInvitations(runtime, by, query());
  });

  serve(invitationEndpoints.createUserInvitation, async (ctx, by, { body }) => {
    const input = await body();
    ctx.status = 201;
    ctx.body = await createUserInvitation(runtime, by, input);
  });

  serve(invitationEndpoints.revokeUserInvitation, async (ctx, by, { body }) => {
    await body();
    await revokeUserInvitation(runtime, by, idOf(ctx));
    ctx.status = 204;
  });
}
