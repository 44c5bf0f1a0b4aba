import * as v from 'valibot';
import { defaultHours } from '../core/invitation-lifetime.ts';
import type { Runtime } from '../core/runtime.ts';
import { exactly, invitationHours, oneOf, text } from '../http/input.ts';
import { pageOf, pageQuery } from '../http/page.ts';
import { id, time } from '../http/resource.ts';
import {
  acceptInvitationLink,
  acceptReceivedInvitation,
} from '../organizations/invitations/operations/accept.ts';
import { createOrganizationInvitation } from '../organizations/invitations/operations/create.ts';
import { declineInvitation } from '../organizations/invitations/operations/decline.ts';
import {
  listOrganizationInvitations,
  listReceivedInvitations,
} from '../organizations/invitations/operations/list.ts';
import { previewOrganizationInvitation } from '../organizations/invitations/operations/preview.ts';
import { revokeOrganizationInvitation } from '../organizations/invitations/operations/revoke.ts';
import type {
  CreatedOrganizationInvitation,
  OrganizationInvitation,
  OrganizationInvitationPreview,
} from '../organizations/invitations/organization-invitation.ts';
import { endpoints } from './endpoint.ts';
import { organizationRole, organizationRoleInput, requireConfigured } from './organization-roles.ts';
import { organizationResource } from './organizations.ts';
import { namedUserResource } from './resources.ts';
import { idOf, type Serve } from './serve.ts';

const statuses = ['pending', 'accepted', 'declined', 'revoked', 'expired'] as const;

const offered = {
  role: organizationRole,
  createdBy: v.pipe(
    v.nullable(namedUserResource),
    v.description('The user who created the invitation. Null: an operator, or a user who was deleted.'),
  ),
  expiresAt: time,
};

export const organizationInvitationResource = v.object({
  id,
  organization: v.object({ id, name: v.string(), slug: v.string() }),
  ...offered,
  username: v.pipe(
    v.nullable(v.string()),
    v.description(
      'The only user who can accept. Null: any user with the link can accept, until one user has accepted. Also null if the user is deleted and no longer has a username.',
    ),
  ),
  status: v.picklist(statuses),
  createdAt: time,
  acceptedBy: v.nullable(namedUserResource),
  acceptedAt: v.nullable(time),
}) satisfies v.GenericSchema<OrganizationInvitation>;

export const organizationInvitationPreviewResource = v.object({
  organization: v.object({ name: v.string() }),
  ...offered,
  canSignUp: v.pipe(
    v.boolean(),
    v.description(
      'Whether users without an account can sign up with the token, as the `invitation` of `POST /passkey/register/start`. The sign-up also accepts the invitation.',
    ),
  ),
}) satisfies v.GenericSchema<OrganizationInvitationPreview>;

const status = oneOf(statuses);

const created = v.object({
  invitation: organizationInvitationResource,
  token: v.pipe(
    v.nullable(v.string()),
    v.description(
      'The secret in the link. Shown only once. Null: the invitation names a user, so it has no link.',
    ),
  ),
  url: v.pipe(
    v.nullable(v.string()),
    v.description(
      'The link: the URL of the join page, with the token in the fragment. Null: the invitation names a user.',
    ),
  ),
}) satisfies v.GenericSchema<CreatedOrganizationInvitation>;

const joined = v.object({ organization: organizationResource, invitation: organizationInvitationResource });

const presented = exactly({ token: text });

/** The endpoints for organization admins. */
export const organizationInvitationEndpoints = endpoints(
  {
    listOrganizationInvitations: {
      on: 'GET /organizations/:id/invitations',
      access: 'full_session',
      requires: 'organization:members:invite',
      budget: 'read',
      summary: 'List the invitations to an organization',
      description: 'Newest first.',
      query: exactly({ ...pageQuery, status: v.optional(status) }),
      answers: { 200: pageOf('invitations', organizationInvitationResource) },
    },
    createOrganizationInvitation: {
      on: 'POST /organizations/:id/invitations',
      access: 'fresh',
      requires: 'organization:members:invite',
      event: 'organization_invitation.create',
      target: 'organization',
      budget: 'write',
      summary: 'Invite a user to an organization',
      description:
        'With `username`, only that user can accept or decline. Returns 404 if no user has the username. Without `username`, the response contains a link, and the first user who accepts with the link becomes a member. An organization can have at most 100 pending invitations, and at most one for each user. Only organization admins and superadmins can invite with the role `admin`. A member with another role can invite only with roles whose capabilities the member has.',
      body: exactly({
        username: v.optional(text),
        role: v.optional(organizationRoleInput, 'user'),
        expiresInHours: v.optional(invitationHours, defaultHours),
      }),
      answers: { 201: created },
      errors: ['account_disabled', 'already_a_member', 'already_invited', 'too_many_invitations'],
    },
    revokeOrganizationInvitation: {
      on: 'DELETE /organizations/:id/invitations/:invitationId',
      access: 'fresh',
      requires: 'organization:members:invite',
      event: 'organization_invitation.revoke',
      target: 'organization',
      budget: 'write',
      summary: 'Revoke an invitation to an organization',
      description: 'Does nothing if the invitation is already revoked, declined or expired.',
      answers: { 204: null },
      errors: ['invitation_already_accepted'],
    },
  },
  'organizations',
);

/** The endpoints for invited users. */
export const receivedInvitationEndpoints = endpoints(
  {
    listReceivedInvitations: {
      on: 'GET /invitations',
      access: 'full_session',
      budget: 'read',
      summary: 'List your pending invitations to organizations',
      description: 'Newest first. Lists only the invitations that name the caller.',
      query: exactly(pageQuery),
      answers: { 200: pageOf('invitations', organizationInvitationResource) },
    },
    acceptReceivedInvitation: {
      on: 'POST /invitations/:id/accept',
      access: 'full_session',
      event: 'organization_invitation.accept',
      target: 'invitation',
      budget: 'write',
      summary: 'Accept an invitation to an organization',
      description: 'The invitation names a user. Only this user can accept. The user becomes a member.',
      answers: { 200: joined },
      errors: ['invitation_not_found', 'invitation_unusable', 'already_a_member', 'too_many_organizations'],
    },
    declineReceivedInvitation: {
      on: 'POST /invitations/:id/decline',
      access: 'full_session',
      event: 'organization_invitation.decline',
      target: 'invitation',
      budget: 'write',
      summary: 'Decline an invitation to an organization',
      description:
        'The invitation names a user. Only this user can decline. Does nothing if the invitation is already declined.',
      answers: { 204: null },
      errors: ['invitation_not_found', 'invitation_unusable', 'invitation_already_accepted'],
    },
    // The token is in the body, because servers and proxies write query strings to their logs.
    previewInvitationLink: {
      on: 'POST /invitations/preview',
      access: 'none',
      budget: 'read',
      summary: 'Preview an invitation link to an organization',
      description: 'Needs the token in the link, but no session.',
      body: presented,
      answers: { 200: v.object({ invitation: organizationInvitationPreviewResource }) },
      errors: ['invitation_not_found', 'invitation_unusable'],
    },
    acceptInvitationLink: {
      on: 'POST /invitations/accept',
      access: 'full_session',
      event: 'organization_invitation.accept',
      budget: 'write',
      summary: 'Accept an invitation link to an organization',
      description: 'The caller becomes a member. A link can be accepted only once.',
      body: presented,
      answers: { 200: joined },
      errors: ['invitation_not_found', 'invitation_unusable', 'already_a_member', 'too_many_organizations'],
    },
  },
  'organizations',
);

export function organizationInvitationRoutes(serve: Serve, runtime: Runtime): void {
  adminRoutes(serve, runtime);
  invitedUserRoutes(serve, runtime);
}

function adminRoutes(serve: Serve, runtime: Runtime): void {
  serve(organizationInvitationEndpoints.listOrganizationInvitations, async (ctx, by, { query }) => {
    ctx.body = await listOrganizationInvitations(runtime, by, query());
  });

  serve(organizationInvitationEndpoints.createOrganizationInvitation, async (ctx, by, { body }) => {
    const input = requireConfigured(runtime, await body());
    ctx.status = 201;
    ctx.body = await createOrganizationInvitation(runtime, by, input);
  });

  serve(organizationInvitationEndpoints.revokeOrganizationInvitation, async (ctx, by, { body }) => {
    await body();
    await revokeOrganizationInvitation(runtime, by, `${ctx.params.invitationId}`);
    ctx.status = 204;
  });
}

function invitedUserRoutes(serve: Serve, runtime: Runtime): void {
  serve(receivedInvitationEndpoints.listReceivedInvitations, async (ctx, actor, { query }) => {
    ctx.body = await listReceivedInvitations(runtime, actor, query());
  });

  serve(receivedInvitationEndpoints.acceptReceivedInvitation, async (ctx, actor, { body }) => {
    await body();
    ctx.body = await acceptReceivedInvitation(runtime, actor, idOf(ctx));
  });

  serve(receivedInvitationEndpoints.declineReceivedInvitation, async (ctx, actor, { body }) => {
    await body();
    await declineInvitation(runtime, actor, idOf(ctx));
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
