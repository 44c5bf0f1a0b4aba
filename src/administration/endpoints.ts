import * as v from 'valibot';
import { endpoints } from '../http/contract.ts';
import { exactly } from '../http/input.ts';
import { pageOf, pageQuery } from '../http/page.ts';
import { recoveryLinkResource } from '../recovery/resource.ts';
import { userResource } from '../users/resource.ts';

const role = v.picklist(['user', 'admin', 'superadmin'], 'expected "user", "admin" or "superadmin"');

const usersQuery = exactly({
  ...pageQuery,
  query: v.optional(
    v.pipe(
      v.string('expected one text'),
      v.maxLength(64, 'expected at most 64 characters'),
      v.description('The beginning of a username or display name.'),
    ),
  ),
  role: v.optional(role),
  status: v.optional(v.picklist(['active', 'disabled'], 'expected "active" or "disabled"')),
});

const user = v.object({ user: userResource });

/** For admins, among the people of their organizations, and for superadmins. */
export const helpEndpoints = endpoints({
  listUsers: {
    on: 'GET /admin/users',
    access: 'signed_in',
    budget: 'read',
    summary: 'Search for people',
    description: 'Admins, among the members of their organizations; superadmins, among all. By username.',
    query: usersQuery,
    answers: { 200: pageOf('users', userResource) },
    errors: ['forbidden'],
  },
  readUser: {
    on: 'GET /admin/users/:id',
    access: 'signed_in',
    budget: 'read',
    summary: 'Read a person’s account',
    description: 'As the search.',
    answers: { 200: user },
    errors: ['forbidden', 'not_found'],
  },
  createRecoveryLink: {
    on: 'POST /admin/users/:id/recovery',
    access: 'fresh',
    budget: 'recovery',
    summary: 'Make a recovery link for a user',
    description:
      'Superadmins, for every other user. Admins, for plain users who are admin of no organization, if the caller is an admin of every organization the user belongs to. The link can be used once, for an hour, and replaces an earlier one. Every session of the user shows it, and the user can cancel it.',
    answers: { 201: recoveryLinkResource },
    errors: ['forbidden', 'not_found', 'account_disabled'],
  },
  endSessionsOfUser: {
    on: 'DELETE /admin/users/:id/sessions',
    access: 'fresh',
    budget: 'write',
    summary: 'End all sessions of a user',
    description: 'For callers who may make a recovery link for the user.',
    answers: { 200: v.object({ ended: v.pipe(v.number(), v.integer()) }) },
    errors: ['forbidden', 'not_found'],
  },
});

/** For superadmins, and the end of one's own account. */
export const ruleEndpoints = endpoints({
  changeRole: {
    on: 'PUT /admin/users/:id/role',
    access: 'fresh',
    budget: 'write',
    summary: 'Give somebody another role',
    description: 'Superadmins. It holds from that person’s very next request.',
    body: exactly({ role }),
    answers: { 200: user },
    errors: ['forbidden', 'not_found', 'last_superadmin'],
  },
  disableUser: {
    on: 'POST /admin/users/:id/disable',
    access: 'fresh',
    budget: 'write',
    summary: 'Shut somebody out',
    description: 'Superadmins. Every session of the account ends at once.',
    answers: { 200: user },
    errors: ['forbidden', 'not_found', 'last_superadmin'],
  },
  enableUser: {
    on: 'POST /admin/users/:id/enable',
    access: 'fresh',
    budget: 'write',
    summary: 'Let somebody in again',
    description: 'Superadmins.',
    answers: { 200: user },
    errors: ['forbidden', 'not_found'],
  },
  deleteUser: {
    on: 'DELETE /admin/users/:id',
    access: 'fresh',
    budget: 'write',
    summary: 'Delete somebody’s account',
    description: 'Superadmins. Credentials and sessions go; the username stays taken.',
    answers: { 204: null },
    errors: ['forbidden', 'not_found', 'last_superadmin'],
  },
  deleteAccount: {
    on: 'DELETE /account',
    access: 'fresh',
    budget: 'write',
    summary: 'Delete one’s own account',
    description: 'Credentials and sessions go; the username stays taken.',
    answers: { 204: null },
    // Forbidden where a superadmin is demoted at that very moment.
    errors: ['forbidden', 'not_found', 'last_superadmin'],
  },
});
