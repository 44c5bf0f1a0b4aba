import * as v from 'valibot';
import { changeRole } from '../accounts/operations/change-role.ts';
import { disableUser, enableUser } from '../accounts/operations/change-status.ts';
import { createRecoveryLink } from '../accounts/operations/create-recovery-link.ts';
import { deleteOwnAccount, deleteUser } from '../accounts/operations/delete-user.ts';
import { endSessionsOf } from '../accounts/operations/end-sessions.ts';
import { findUserToHelp } from '../accounts/operations/find-user-to-help.ts';
import { getUser, listUsers } from '../accounts/operations/find-users.ts';
import type { Runtime } from '../core/runtime.ts';
import { roles, userStatuses } from '../core/user.ts';
import { clearSessionCookie } from '../http/cookies.ts';
import { exactly, oneOf } from '../http/input.ts';
import { pageOf, pageQuery } from '../http/page.ts';
import { endpoints } from './endpoint.ts';
import { recoveryLinkResource } from './recovery.ts';
import { userResource } from './resources.ts';
import { idOf, type Serve, signIn } from './serve.ts';

const role = oneOf(roles);

const usersQuery = exactly({
  ...pageQuery,
  query: v.optional(
    v.pipe(
      v.string('expected one string'),
      v.maxLength(64, 'expected at most 64 characters'),
      v.description('The beginning of a username or display name.'),
    ),
  ),
  role: v.optional(role),
  status: v.optional(oneOf(userStatuses)),
});

const user = v.object({ user: userResource });

/** The endpoints for admins, within the organizations they manage, and for superadmins. */
export const helpEndpoints = endpoints({
  listUsers: {
    on: 'GET /admin/users',
    access: 'full_session',
    requires: 'user:read',
    event: 'user.list',
    budget: 'read',
    summary: 'List users',
    description: 'By username.',
    query: usersQuery,
    answers: { 200: pageOf('users', userResource) },
  },
  getUser: {
    on: 'GET /admin/users/:id',
    access: 'full_session',
    requires: 'user:read',
    event: 'user.get',
    target: 'user',
    budget: 'read',
    summary: 'Get a user',
    answers: { 200: user },
    errors: ['not_found'],
  },
  createRecoveryLink: {
    on: 'POST /admin/users/:id/recovery',
    access: 'fresh',
    requires: 'user:recover',
    event: 'recovery_link.create',
    target: 'user',
    budget: 'recovery',
    summary: 'Create a recovery link for a user',
    description:
      'Admins can create links for users who are not an admin of the service or of an organization, if they manage every organization the user belongs to. Superadmins can create links for every other user. The link is single-use, expires an hour after `usableAt` and replaces an earlier one. The user sees it in every session and can cancel it.',
    answers: { 201: recoveryLinkResource },
    errors: ['not_found', 'account_disabled'],
  },
  endSessionsOfUser: {
    on: 'DELETE /admin/users/:id/sessions',
    access: 'fresh',
    requires: 'user:end_sessions',
    event: 'user.end_sessions',
    target: 'user',
    budget: 'write',
    summary: 'End all sessions of a user',
    description: 'For users that the caller can create a recovery link for.',
    answers: { 200: v.object({ ended: v.pipe(v.number(), v.integer()) }) },
    errors: ['not_found'],
  },
});

/** The endpoints for superadmins. */
export const userEndpointsOfSuperadmins = endpoints({
  changeRole: {
    on: 'PUT /admin/users/:id/role',
    access: 'fresh',
    requires: 'role:assign',
    event: 'user.change_role',
    target: 'user',
    budget: 'write',
    summary: 'Change the role of a user',
    description: 'Takes effect immediately.',
    body: exactly({ role }),
    answers: { 200: user },
    errors: ['not_found', 'last_superadmin'],
  },
  disableUser: {
    on: 'POST /admin/users/:id/disable',
    access: 'fresh',
    requires: 'user:manage',
    event: 'user.disable',
    target: 'user',
    budget: 'write',
    summary: 'Disable a user',
    description: 'Ends every session of the user and blocks sign-in. Keeps all data.',
    answers: { 200: user },
    errors: ['not_found', 'last_superadmin'],
  },
  enableUser: {
    on: 'POST /admin/users/:id/enable',
    access: 'fresh',
    requires: 'user:manage',
    event: 'user.enable',
    target: 'user',
    budget: 'write',
    summary: 'Enable a disabled user',
    answers: { 200: user },
    errors: ['not_found'],
  },
  deleteUser: {
    on: 'DELETE /admin/users/:id',
    access: 'fresh',
    requires: 'user:manage',
    event: 'user.delete',
    target: 'user',
    budget: 'write',
    summary: 'Delete a user',
    description: 'Deletes credentials, sessions and memberships. The username stays taken.',
    answers: { 204: null },
    errors: ['not_found', 'last_superadmin'],
  },
});

export const accountEndpoints = endpoints({
  deleteAccount: {
    on: 'DELETE /account',
    access: 'fresh',
    event: 'account.delete',
    budget: 'write',
    summary: 'Delete your own account',
    description: 'Deletes credentials, sessions and memberships. The username stays taken.',
    answers: { 204: null },
    // A superadmin can lose the role while the request runs.
    errors: ['forbidden', 'not_found', 'last_superadmin'],
  },
});

export function accountRoutes(serve: Serve, runtime: Runtime): void {
  helpRoutes(serve, runtime);
  superadminRoutes(serve, runtime);

  serve(accountEndpoints.deleteAccount, async (ctx, actor, { body }) => {
    await body();
    await deleteOwnAccount(runtime, actor);
    clearSessionCookie(ctx, runtime.config);
    ctx.status = 204;
  });
}

function helpRoutes(serve: Serve, runtime: Runtime): void {
  serve(helpEndpoints.listUsers, async (ctx, by, { query }) => {
    ctx.body = await listUsers(runtime, by, query());
  });

  serve(helpEndpoints.getUser, async (ctx, by) => {
    ctx.body = { user: await getUser(runtime, by, idOf(ctx)) };
  });

  serve(helpEndpoints.createRecoveryLink, async (ctx, by, { body }) => {
    // Before the body is read, so that a caller without access learns nothing about its faults.
    await findUserToHelp(runtime, by, { userId: idOf(ctx), event: 'recovery_link.create' });
    await body();
    ctx.status = 201;
    ctx.body = await createRecoveryLink(runtime, by, idOf(ctx));
  });

  serve(helpEndpoints.endSessionsOfUser, async (ctx, by, { body }) => {
    await findUserToHelp(runtime, by, { userId: idOf(ctx), event: 'user.end_sessions' });
    await body();
    ctx.body = { ended: await endSessionsOf(runtime, by, idOf(ctx)) };
  });
}

function superadminRoutes(serve: Serve, runtime: Runtime): void {
  serve(userEndpointsOfSuperadmins.changeRole, async (ctx, by, { body }) => {
    const { role } = await body();
    const { user, opened } = await changeRole(runtime, by, idOf(ctx), role);
    if (opened) signIn(ctx, runtime, opened);
    ctx.body = { user };
  });

  serve(userEndpointsOfSuperadmins.disableUser, async (ctx, by, { body, read }) => {
    await body();
    ctx.body = { user: await disableUser(runtime, by, idOf(ctx)) };
    if (idOf(ctx) === read.user.id) clearSessionCookie(ctx, runtime.config);
  });

  serve(userEndpointsOfSuperadmins.enableUser, async (ctx, by, { body }) => {
    await body();
    ctx.body = { user: await enableUser(runtime, by, idOf(ctx)) };
  });

  serve(userEndpointsOfSuperadmins.deleteUser, async (ctx, by, { body, read }) => {
    await body();
    await deleteUser(runtime, by, idOf(ctx));
    if (idOf(ctx) === read.user.id) clearSessionCookie(ctx, runtime.config);
    ctx.status = 204;
  });
}
