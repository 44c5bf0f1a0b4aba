import type { Context } from 'koa';
import * as v from 'valibot';
import type { SignedInActor } from '../core/actor.ts';
import { defaultHours } from '../core/invitation-lifetime.ts';
import type { Runtime } from '../core/runtime.ts';
import { endpoints } from '../http/endpoint.ts';
import { exactly, invitationHours, text } from '../http/input.ts';
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
import { findOrganization } from '../organizations/operations/find-organization.ts';
import { membershipRole, membershipRoleInput, organizationResource } from './organizations.ts';
import type { Serve } from './serve.ts';
import { namedUserResource } from './users.ts';

const offered = {
  role: v.picklist(['user', 'admin']),
  createdBy: v.pipe(v.nullable(namedUserResource), v.description('Null: an operator, or a deleted account.')),
  expiresAt: time,
};

export const organizationInvitationResource = v.object({
  id,
  organization: v.object({ id, name: v.string(), slug: v.string() }),
  ...offered,
  username: v.pipe(
    v.nullable(v.string()),
    v.description('The only user who can accept. Null: a link, which any one user can accept.'),
  ),
  status: v.picklist(['pending', 'accepted', 'declined', 'revoked', 'expired']),
  createdAt: time,
  acceptedBy: v.nullable(namedUserResource),
  acceptedAt: v.nullable(time),
}) satisfies v.GenericSchema<OrganizationInvitation>;

export const organizationInvitationPreviewResource = v.object({
  organization: v.object({ name: v.string() }),
  ...offered,
}) satisfies v.GenericSchema<OrganizationInvitationPreview>;

const status = v.picklist(
  ['pending', 'accepted', 'declined', 'revoked', 'expired'],
  'expected "pending", "accepted", "declined", "revoked" or "expired"',
);

const created = v.object({
  invitation: organizationInvitationResource,
  token: v.pipe(
    v.nullable(v.string()),
    v.description('The secret of a link, shown only once. Null with a username.'),
  ),
  url: v.pipe(
    v.nullable(v.string()),
    v.description('The join page with the token in the fragment. Null with a username.'),
  ),
}) satisfies v.GenericSchema<CreatedOrganizationInvitation>;

const joined = v.object({ organization: organizationResource, invitation: organizationInvitationResource });

const presented = exactly({ token: text });

/** What an organization's admins do. */
export const organizationInvitationEndpoints = endpoints({
  listOrganizationInvitations: {
    on: 'GET /organizations/:id/invitations',
    access: 'signed_in',
    budget: 'read',
    summary: 'List an organization’s invitations',
    description: 'For admins of the organization. Newest first.',
    query: exactly({ ...pageQuery, status: v.optional(status) }),
    answers: { 200: pageOf('invitations', organizationInvitationResource) },
    errors: ['forbidden', 'not_found'],
  },
  createOrganizationInvitation: {
    on: 'POST /organizations/:id/invitations',
    access: 'fresh',
    budget: 'write',
    summary: 'Invite a user to an organization',
    description:
      'For admins of the organization. With a username: for that user, who accepts or declines. Without: a link, which any one user can accept. An organization has at most 100 pending invitations, and at most one for each user.',
    body: exactly({
      username: v.optional(text),
      role: v.optional(membershipRoleInput, 'user'),
      expiresInHours: v.optional(invitationHours, defaultHours),
    }),
    answers: { 201: created },
    errors: [
      'forbidden',
      'not_found',
      'account_disabled',
      'already_a_member',
      'already_invited',
      'too_many_invitations',
    ],
  },
  revokeOrganizationInvitation: {
    on: 'DELETE /organizations/:id/invitations/:invitationId',
    access: 'fresh',
    budget: 'write',
    summary: 'Revoke an invitation to an organization',
    description:
      'For admins of the organization. Does nothing if it is already revoked, declined or expired.',
    answers: { 204: null },
    errors: ['forbidden', 'not_found', 'invitation_already_accepted'],
  },
});

/** What invited users do. */
export const receivedInvitationEndpoints = endpoints({
  listReceivedInvitations: {
    on: 'GET /invitations',
    access: 'signed_in',
    budget: 'read',
    summary: 'List one’s own pending invitations to organizations',
    description: 'For the invited user. Newest first. Links are not listed.',
    query: exactly(pageQuery),
    answers: { 200: pageOf('invitations', organizationInvitationResource) },
  },
  acceptReceivedInvitation: {
    on: 'POST /invitations/:id/accept',
    access: 'signed_in',
    budget: 'write',
    summary: 'Accept an invitation to an organization',
    description: 'The invited user becomes a member.',
    answers: { 200: joined },
    errors: ['invitation_not_found', 'invitation_unusable', 'already_a_member'],
  },
  declineReceivedInvitation: {
    on: 'POST /invitations/:id/decline',
    access: 'signed_in',
    budget: 'write',
    summary: 'Decline an invitation to an organization',
    description: 'For the invited user. Does nothing if it is already declined.',
    answers: { 204: null },
    errors: ['invitation_not_found', 'invitation_unusable', 'invitation_already_accepted'],
  },
  // The token is in the body: a query would end up in logs.
  previewInvitationLink: {
    on: 'POST /invitations/preview',
    access: 'anybody',
    budget: 'read',
    summary: 'See what an invitation link offers',
    description: 'For anyone who holds the token, before they sign in.',
    body: presented,
    answers: { 200: v.object({ invitation: organizationInvitationPreviewResource }) },
    errors: ['invitation_not_found', 'invitation_unusable'],
  },
  acceptInvitationLink: {
    on: 'POST /invitations/accept',
    access: 'signed_in',
    budget: 'write',
    summary: 'Accept an invitation link to an organization',
    description: 'The caller becomes a member. Of several acceptances at once, one succeeds.',
    body: presented,
    answers: { 200: joined },
    errors: ['invitation_not_found', 'invitation_unusable', 'already_a_member'],
  },
});

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
