import type { Context } from 'koa';
import * as v from 'valibot';
import { changeRole } from '../accounts/operations/change-role.ts';
import { disableUser, enableUser } from '../accounts/operations/change-status.ts';
import { createRecoveryLink } from '../accounts/operations/create-recovery-link.ts';
import { deleteUser } from '../accounts/operations/delete-user.ts';
import { endSessionsOf } from '../accounts/operations/end-sessions.ts';
import { findUserToHelp } from '../accounts/operations/find-user-to-help.ts';
import { findUser, listUsers } from '../accounts/operations/find-users.ts';
import { type Attempt, requireCapability, requireReach } from '../authorization/authorize.ts';
import type { SignedInActor } from '../core/actor.ts';
import { isUuid } from '../core/identifiers.ts';
import type { Runtime } from '../core/runtime.ts';
import { clearSessionCookie } from '../http/cookies.ts';
import { endpoints } from '../http/endpoint.ts';
import { exactly } from '../http/input.ts';
import { pageOf, pageQuery } from '../http/page.ts';
import type { Capability } from '../roles/capabilities.ts';
import { recoveryLinkResource } from './recovery.ts';
import { type Serve, signIn } from './serve.ts';
import { userResource } from './users.ts';

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

/** Admins look among the people of their organizations and help them; superadmins everybody. The rest is superadmins'. */
export function administrationRoutes(serve: Serve, runtime: Runtime): void {
  lookingRoutes(serve, runtime);
  helpingRoutes(serve, runtime);
  rulingRoutes(serve, runtime);
}

function lookingRoutes(serve: Serve, runtime: Runtime): void {
  serve(helpEndpoints.listUsers, async (ctx, actor, { query }) => {
    const reach = await requireReach(runtime, actor, 'user:read', { event: 'user.list' });
    const { items, nextCursor } = await listUsers(runtime, reach, query());
    ctx.body = { users: items, nextCursor };
  });

  serve(helpEndpoints.readUser, async (ctx, actor) => {
    const { user } = await findUser(runtime, actor, { userId: idOf(ctx), event: 'user.view' });
    ctx.body = { user };
  });
}

function helpingRoutes(serve: Serve, runtime: Runtime): void {
  serve(helpEndpoints.createRecoveryLink, async (ctx, actor, { body }) => {
    // A caller without the right is refused before the body is read; the operation decides again after it.
    await findUserToHelp(runtime, actor, { userId: idOf(ctx), event: 'recovery_link.create' });
    await body();
    ctx.status = 201;
    ctx.body = await createRecoveryLink(runtime, actor, idOf(ctx));
  });

  serve(helpEndpoints.endSessionsOfUser, async (ctx, actor, { body }) => {
    await findUserToHelp(runtime, actor, { userId: idOf(ctx), event: 'user.end_sessions' });
    await body();
    ctx.body = { ended: await endSessionsOf(runtime, actor, idOf(ctx)) };
  });
}

function rulingRoutes(serve: Serve, runtime: Runtime): void {
  const requireRight = (
    ctx: Context,
    actor: SignedInActor,
    capability: Capability,
    event: Attempt['event'],
  ) => {
    const id = isUuid(idOf(ctx)) ? idOf(ctx) : null;
    return requireCapability(runtime, actor, capability, { event, target: { type: 'user', id, name: null } });
  };

  serve(ruleEndpoints.changeRole, async (ctx, actor, { body }) => {
    await requireRight(ctx, actor, 'role:assign', 'user.change_role');
    const { role } = await body();
    const { user, opened } = await changeRole(runtime, actor, idOf(ctx), role);
    if (opened) signIn(ctx, runtime, opened);
    ctx.body = { user };
  });

  serve(ruleEndpoints.disableUser, async (ctx, actor, { body }) => {
    await requireRight(ctx, actor, 'user:manage', 'user.disable');
    await body();
    ctx.body = { user: await disableUser(runtime, actor, idOf(ctx)) };
    if (idOf(ctx) === actor.user.id) clearSessionCookie(ctx, runtime.config);
  });

  serve(ruleEndpoints.enableUser, async (ctx, actor, { body }) => {
    await requireRight(ctx, actor, 'user:manage', 'user.enable');
    await body();
    ctx.body = { user: await enableUser(runtime, actor, idOf(ctx)) };
  });

  serve(ruleEndpoints.deleteUser, async (ctx, actor, { body }) => {
    await requireRight(ctx, actor, 'user:manage', 'user.delete');
    await body();
    await deleteUser(runtime, actor, idOf(ctx), 'user.delete');
    if (idOf(ctx) === actor.user.id) clearSessionCookie(ctx, runtime.config);
    ctx.status = 204;
  });

  serve(ruleEndpoints.deleteAccount, async (ctx, actor, { body }) => {
    await body();
    await deleteUser(runtime, actor, actor.user.id, 'account.delete');
    clearSessionCookie(ctx, runtime.config);
    ctx.status = 204;
  });
}

const idOf = (ctx: Context): string => `${ctx.params.id}`;
