import * as v from 'valibot';
import { endpoints } from '../http/contract.ts';
import { exactly, shortText, text } from '../http/input.ts';
import { pageOf, pageQuery } from '../http/page.ts';
import { membershipRole } from './input.ts';
import { memberResource, organizationResource } from './resource.ts';
import { isSlug, slugPattern } from './rules.ts';

const slug = v.pipe(
  text,
  v.metadata({ pattern: slugPattern.source }),
  v.check(isSlug, 'expected 2 to 48 lower case letters, digits and hyphens'),
);

const organization = v.object({ organization: organizationResource });
const member = v.object({ member: memberResource });

export const organizationEndpoints = endpoints({
  listOrganizations: {
    on: 'GET /organizations',
    access: 'signed_in',
    budget: 'read',
    summary: 'List one’s organizations',
    description: 'By slug; a superadmin’s list has all.',
    query: exactly(pageQuery),
    answers: { 200: pageOf('organizations', organizationResource) },
  },
  createOrganization: {
    on: 'POST /organizations',
    access: 'fresh',
    budget: 'write',
    summary: 'Found an organization',
    description: 'Admins, who become its admin. The slug is made of the name where none is given.',
    body: exactly({ name: shortText, slug: v.optional(slug) }),
    answers: { 201: organization },
    errors: ['forbidden', 'slug_taken'],
  },
  readOrganization: {
    on: 'GET /organizations/:id',
    access: 'signed_in',
    budget: 'read',
    summary: 'Read an organization',
    description: 'Members; to others it is not there.',
    answers: { 200: organization },
    errors: ['not_found'],
  },
  updateOrganization: {
    on: 'PATCH /organizations/:id',
    access: 'fresh',
    budget: 'write',
    summary: 'Change an organization’s name or slug',
    description: 'For admins of the organization.',
    body: exactly({ name: v.optional(shortText), slug: v.optional(slug) }),
    answers: { 200: organization },
    errors: ['forbidden', 'not_found', 'slug_taken'],
  },
  deleteOrganization: {
    on: 'DELETE /organizations/:id',
    access: 'fresh',
    budget: 'write',
    summary: 'Delete an organization and its memberships',
    description: 'For admins of the organization.',
    answers: { 204: null },
    errors: ['forbidden', 'not_found'],
  },
});

export const memberEndpoints = endpoints({
  listMembers: {
    on: 'GET /organizations/:id/members',
    access: 'signed_in',
    budget: 'read',
    summary: 'List the members of an organization',
    description: 'Members; by username.',
    query: exactly(pageQuery),
    answers: { 200: pageOf('members', memberResource) },
    errors: ['not_found'],
  },
  addMember: {
    on: 'POST /organizations/:id/members',
    access: 'fresh',
    budget: 'write',
    summary: 'Add a user to an organization without an invitation',
    description: 'For superadmins. 404 if no user has the username.',
    body: exactly({ username: text, role: v.optional(membershipRole, 'user') }),
    answers: { 201: member },
    errors: ['forbidden', 'not_found', 'account_disabled', 'already_a_member'],
  },
  changeMemberRole: {
    on: 'PATCH /organizations/:id/members/:userId',
    access: 'fresh',
    budget: 'write',
    summary: 'Promote or demote a member within an organization',
    description: 'For admins of the organization.',
    body: exactly({ role: membershipRole }),
    answers: { 200: member },
    errors: ['forbidden', 'not_found', 'last_organization_admin'],
  },
  removeMember: {
    on: 'DELETE /organizations/:id/members/:userId',
    // Whoever leaves needs no fresh authentication; whoever removes somebody else does.
    access: 'signed_in',
    budget: 'write',
    summary: 'Remove a member, or leave',
    description: 'Its admins, with fresh authentication; everybody themself.',
    answers: { 204: null },
    errors: ['reauthentication_required', 'forbidden', 'not_found', 'last_organization_admin'],
  },
});
