import * as v from 'valibot';
import { defaultHours } from '../../core/invitation-lifetime.ts';
import { endpoints } from '../../http/contract.ts';
import { exactly, invitationHours, text } from '../../http/input.ts';
import { pageOf, pageQuery } from '../../http/page.ts';
import { membershipRole } from '../input.ts';
import { organizationResource } from '../resource.ts';
import type { CreatedOrganizationInvitation } from './organization-invitation.ts';
import { organizationInvitationPreviewResource, organizationInvitationResource } from './resource.ts';

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
      role: v.optional(membershipRole, 'user'),
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
