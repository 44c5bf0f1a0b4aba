import { type EventConvention, integer, optional, text } from './convention.ts';

const role = text('The role in the organization.');
const slug = text('The slug of the organization.');

/** The events of organizations, their invitations and their members. */
export const organizationEvents = {
  'organization.create': {
    when: 'A user or an operator created an organization.',
    target: 'organization',
    details: { slug },
  },
  'organization.update': {
    when: 'A user or an operator changed the name or the slug of an organization.',
    target: 'organization',
    details: { slug: optional(text('The new slug, if it was given.')) },
  },
  'organization.delete': { when: 'A user or an operator deleted an organization.', target: 'organization' },
  'organization_invitation.create': {
    when: 'A user or an operator invited a user to an organization.',
    target: 'invitation',
    details: { role, expiresInHours: integer('The hours from the creation to the expiry.') },
  },
  'organization_invitation.accept': {
    when: 'A user accepted an invitation to an organization.',
    target: 'invitation',
    details: { role },
  },
  'organization_invitation.decline': {
    when: 'A user declined an invitation to an organization.',
    target: 'invitation',
    details: { role },
  },
  'organization_invitation.revoke': {
    when: 'A user or an operator revoked an invitation to an organization.',
    target: 'invitation',
    details: { role },
  },
  'member.add': {
    when: 'A superadmin or an operator added a user to an organization without an invitation.',
    target: 'user',
    details: { role },
  },
  'member.change_role': {
    when: 'A user or an operator changed the role of a member in an organization.',
    target: 'user',
    details: { from: text('The earlier role in the organization.'), to: text('The new role.') },
  },
  'member.remove': { when: 'A user or an operator removed a member from an organization.', target: 'user' },
  'member.leave': { when: 'A member left an organization.', target: 'user' },
} as const satisfies Record<string, EventConvention>;
