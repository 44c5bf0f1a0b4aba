import type { Context } from 'koa';
import type { SignedInActor } from '../core/actor.ts';
import { isUuid } from '../core/identifiers.ts';
import type { Runtime } from '../core/runtime.ts';
import { clearSessionCookie } from '../http/cookies.ts';
import { type Serve, signIn } from '../http/endpoints.ts';
import type { Capability } from '../roles/capabilities.ts';
import { type Attempt, requireCapability, requireReach } from '../roles/operations.ts';
import { helpEndpoints, ruleEndpoints } from './endpoints.ts';
import { changeRole } from './operations/change-role.ts';
import { disableUser, enableUser } from './operations/change-status.ts';
import { createRecoveryLink } from './operations/create-recovery-link.ts';
import { deleteUser } from './operations/delete-user.ts';
import { endSessionsOf } from './operations/end-sessions.ts';
import { findUserToHelp } from './operations/find-user-to-help.ts';
import { findUser, listUsers } from './operations/find-users.ts';

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
