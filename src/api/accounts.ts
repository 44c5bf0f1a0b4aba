import * as v from 'valibot';
import { changeRole } from '../accounts/operations/change-role.ts';
import { disableUser, enableUser } from '../accounts/operations/change-status.ts';
import { createRecoveryLink } from '../accounts/operations/create-recovery-link.ts';
import { deleteUser } from '../accounts/operations/delete-user.ts';
import { endSessionOf, endSessionsOf } from '../accounts/operations/end-sessions.ts';
import { findUserToHelp } from '../accounts/operations/find-user-to-help.ts';
import { getUser } from '../accounts/operations/find-users.ts';
import { listUsers } from '../accounts/operations/list-users.ts';
import { renameUser } from '../accounts/operations/rename.ts';
import { updateProfileOf } from '../accounts/operations/update-profile.ts';
import type { Runtime } from '../core/runtime.ts';
import { roles } from '../core/user.ts';
import { readUserRecord } from '../directory/operations/read-record.ts';
import { clearSessionCookie } from '../http/cookies.ts';
import { exactly, oneOf, reasonText } from '../http/input.ts';
import { endpoints } from './endpoint.ts';
import { fieldsInput, newName, newUsername, profileOf, profileResource } from './profiles.ts';
import { recoveryLinkResource } from './recovery.ts';
import { userResource } from './resources.ts';
import { idOf, type Serve, signIn } from './serve.ts';
import { listDescription, userListResource, usersQuery } from './user-list.ts';
import { userRecordQuery, userRecordResource } from './user-record.ts';

const role = oneOf(roles);

const user = v.object({ user: userResource });
const profile = v.object({ user: profileResource });

export const managementEndpoints = endpoints({
  listUsers: {
    on: 'GET /admin/users',
    access: 'fresh',
    requires: 'user:read',
    event: 'user.list',
    budget: 'read',
    summary: 'List users',
    description: listDescription,
    query: usersQuery,
    answers: { 200: userListResource },
  },
  getUser: {
    on: 'GET /admin/users/:id',
    access: 'fresh',
    requires: 'user:read',
    event: 'user.get',
    target: 'user',
    budget: 'read',
    summary: 'Get a user',
    description:
      '`fields` contains the own fields of the application that the caller can read. With `include=details`, the response also contains how the user signs in, the live sessions, the organizations, the pending recovery link, and what the caller can do with the user. Callers who cannot see all users get no sessions, no sign-ins and no uses of passkeys, because these belong to no organization.',
    query: userRecordQuery,
    answers: { 200: userRecordResource },
    errors: ['not_found'],
  },
  updateUser: {
    on: 'PATCH /admin/users/:id',
    access: 'fresh',
    requires: 'user:update',
    event: 'user.update',
    target: 'user',
    budget: 'write',
    summary: 'Change the display name or the own fields of a user',
    description:
      'Changes only the given values. The caller needs the same rights over the user as for `createRecoveryLink`. For fields that the caller cannot write, the error is the same as for unknown fields.',
    body: exactly({ ...newName, fields: fieldsInput('any') }),
    answers: { 200: profile },
    errors: ['not_found'],
  },
  renameUser: {
    on: 'PUT /admin/users/:id/username',
    access: 'fresh',
    requires: 'user:update',
    event: 'user.rename',
    target: 'user',
    budget: 'write',
    summary: 'Change the username of a user',
    description:
      'Works only if the service allows admins to change usernames. No other user can get the earlier username. The caller needs the same rights over the user as for `createRecoveryLink`. Pending admin invitations for the earlier username change to the new username if they were created since the user had the earlier username. All other pending invitations for the earlier or the new username are revoked, also user invitations.',
    body: newUsername,
    answers: { 200: user },
    errors: ['not_found', 'username_unacceptable', 'username_taken', 'too_many_usernames', 'sign_up_refused'],
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
      'The link is single-use and expires one hour after `usableAt`. It replaces an earlier link and ends the recovery session that the earlier link opened. For this user, the response of `GET /session` describes the link without its token. The user can cancel the link. Superadmins can create a link for every user except themselves. Admins can create a link only for a user with the role `user` who is not an organization admin. The admin must also manage every organization that the user belongs to.',
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
    description:
      'Returns how many sessions ended. The caller needs the same rights over the user as for `createRecoveryLink`.',
    answers: { 200: v.object({ ended: v.pipe(v.number(), v.integer()) }) },
    errors: ['not_found'],
  },
  endSessionOfUser: {
    on: 'DELETE /admin/users/:id/sessions/:sessionId',
    access: 'fresh',
    requires: 'user:end_sessions',
    event: 'user.end_session',
    target: 'user',
    budget: 'write',
    summary: 'End one session of a user',
    description: 'The caller needs the same rights over the user as for `createRecoveryLink`.',
    answers: { 204: null },
    errors: ['not_found'],
  },
  changeRole: {
    on: 'PUT /admin/users/:id/role',
    access: 'fresh',
    requires: 'role:assign',
    event: 'user.change_role',
    target: 'user',
    returnsToken: true,
    budget: 'write',
    summary: 'Change the role of a user',
    description:
      'The new role applies from the user’s next request. The change revokes the pending invitations that the user created. It also cancels unfinished recoveries of the user’s own account and the recovery links that the user created. Callers who change their own role get a new session token.',
    body: exactly({ role }),
    answers: { 200: user },
    errors: ['not_found', 'last_superadmin', 'authenticator_not_allowed'],
  },
  disableUser: {
    on: 'POST /admin/users/:id/disable',
    access: 'fresh',
    requires: 'user:manage',
    event: 'user.disable',
    target: 'user',
    budget: 'write',
    summary: 'Disable a user',
    description:
      'Blocks sign-in, ends all sessions and cancels the recovery link of the account. Revokes the pending invitations and cancels the recovery links that the user created. Keeps the passkeys, the password, the recovery codes and the memberships. Superadmins and operators can read `reason` in the account and in the audit log. The user and admins cannot. If the user is already disabled, nothing changes.',
    body: exactly({
      reason: v.optional(v.pipe(reasonText, v.description('Why the account is disabled.'))),
    }),
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
    description: 'The user can sign in again. Invitations and recovery links are not restored.',
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
    description:
      'Permanently deletes the passkeys, the password, the recovery codes, the sessions and the memberships. Revokes the pending invitations and cancels the recovery links that the user created. The username stays taken.',
    answers: { 204: null },
    errors: ['not_found', 'last_superadmin', 'still_referenced'],
  },
});

export function managementRoutes(serve: Serve, runtime: Runtime): void {
  helpRoutes(serve, runtime);
  superadminRoutes(serve, runtime);
}

function helpRoutes(serve: Serve, runtime: Runtime): void {
  serve(managementEndpoints.listUsers, async (ctx, by, { query }) => {
    ctx.body = await listUsers(runtime, by, query());
  });

  serve(managementEndpoints.getUser, async (ctx, by, { query }) => {
    // Runs before the query is read, so that a caller without access gets no errors about the query.
    const { disabledReason, ...found } = await getUser(runtime, by, idOf(ctx));
    const { include } = query();
    const user = { ...profileOf(runtime, found), disabledReason };
    if (include === undefined) {
      ctx.body = { user };
      return;
    }
    const { details, actions } = await readUserRecord(runtime, by, found.user);
    ctx.body = { user, details, actions };
  });

  serve(managementEndpoints.updateUser, async (ctx, by, { body }) => {
    await findUserToHelp(runtime, by, { userId: idOf(ctx), event: 'user.update' });
    ctx.body = { user: profileOf(runtime, await updateProfileOf(runtime, by, idOf(ctx), await body())) };
  });

  serve(managementEndpoints.renameUser, async (ctx, by, { body }) => {
    await findUserToHelp(runtime, by, { userId: idOf(ctx), event: 'user.rename' });
    const { username } = await body();
    ctx.body = { user: await renameUser(runtime, by, idOf(ctx), username) };
  });

  serve(managementEndpoints.createRecoveryLink, async (ctx, by, { body }) => {
    // Runs before the body is read, so that a caller without access gets no errors about the body.
    await findUserToHelp(runtime, by, { userId: idOf(ctx), event: 'recovery_link.create' });
    await body();
    ctx.status = 201;
    ctx.body = await createRecoveryLink(runtime, by, idOf(ctx));
  });

  serve(managementEndpoints.endSessionsOfUser, async (ctx, by, { body }) => {
    await findUserToHelp(runtime, by, { userId: idOf(ctx), event: 'user.end_sessions' });
    await body();
    ctx.body = { ended: await endSessionsOf(runtime, by, idOf(ctx)) };
  });

  serve(managementEndpoints.endSessionOfUser, async (ctx, by, { body }) => {
    await findUserToHelp(runtime, by, { userId: idOf(ctx), event: 'user.end_session' });
    await body();
    await endSessionOf(runtime, by, idOf(ctx), `${ctx.params.sessionId}`);
    ctx.status = 204;
  });
}

function superadminRoutes(serve: Serve, runtime: Runtime): void {
  serve(managementEndpoints.changeRole, async (ctx, by, { body }) => {
    const { role } = await body();
    const { user, opened } = await changeRole(runtime, by, idOf(ctx), role);
    if (opened) signIn(ctx, runtime, user, opened);
    ctx.body = { user };
  });

  serve(managementEndpoints.disableUser, async (ctx, by, { body, read }) => {
    const { reason = null } = await body();
    ctx.body = { user: await disableUser(runtime, by, idOf(ctx), reason) };
    if (idOf(ctx) === read.user.id) clearSessionCookie(ctx, runtime.config);
  });

  serve(managementEndpoints.enableUser, async (ctx, by, { body }) => {
    await body();
    ctx.body = { user: await enableUser(runtime, by, idOf(ctx)) };
  });

  serve(managementEndpoints.deleteUser, async (ctx, by, { body, read }) => {
    await body();
    await deleteUser(runtime, by, idOf(ctx));
    if (idOf(ctx) === read.user.id) clearSessionCookie(ctx, runtime.config);
    ctx.status = 204;
  });
}
