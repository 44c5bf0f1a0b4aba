import * as v from 'valibot';
import { defaultHours } from '../core/invitation-lifetime.ts';
import { endpoints } from '../http/contract.ts';
import { exactly, invitationHours, text } from '../http/input.ts';
import { pageOf, pageQuery } from '../http/page.ts';
import { userResource } from '../users/resource.ts';
import type { CreatedInvitation } from './invitation.ts';
import { invitationPreviewResource, invitationResource } from './resource.ts';

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
