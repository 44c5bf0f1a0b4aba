import type { Context } from 'koa';
import type { SignedInActor } from '../core/actor.ts';
import { isUuid } from '../core/identifiers.ts';
import type { Runtime } from '../core/runtime.ts';
import { clearSessionCookie } from '../http/cookies.ts';
import { type Endpoints, signIn } from '../http/endpoints.ts';
import { nothing } from '../http/input.ts';
import { readBody, readQuery } from '../http/read-body.ts';
import { createRecoveryLink } from '../recovery/operations/create-link.ts';
import type { Capability } from '../roles/capabilities.ts';
import { type Attempt, requireCapability, requireReach } from '../roles/operations.ts';
import { roleChange, usersQuery } from './input.ts';
import { changeRole } from './operations/change-role.ts';
import { disableUser, enableUser } from './operations/change-status.ts';
import { deleteUser } from './operations/delete-user.ts';
import { endSessionsOf } from './operations/end-sessions.ts';
import { findPerson, findPersonToHelp, listUsers } from './operations/find-users.ts';

const path = '/admin/users';

/** Admins look among the people of their organizations and help them; superadmins everybody. The rest is superadmins'. */
export function administrationRoutes(endpoints: Endpoints, runtime: Runtime): void {
  lookingRoutes(endpoints, runtime);
  helpingRoutes(endpoints, runtime);
  rulingRoutes(endpoints, runtime);
}

function lookingRoutes({ signedIn }: Endpoints, runtime: Runtime): void {
  signedIn('get', path, 'read', async (ctx, actor) => {
    const reach = await requireReach(runtime, actor, 'user:read', { event: 'user.list' });
    const { items, nextCursor } = await listUsers(runtime, reach, readQuery(ctx, usersQuery));
    ctx.body = { users: items, nextCursor };
  });

  signedIn('get', `${path}/:id`, 'read', async (ctx, actor) => {
    const { person } = await findPerson(runtime, actor, { userId: idOf(ctx), event: 'user.view' });
    ctx.body = { user: person };
  });
}

function helpingRoutes({ fresh }: Endpoints, runtime: Runtime): void {
  fresh('post', `${path}/:id/recovery`, 'recovery', async (ctx, actor) => {
    // Who may not, and whom one does not know of, comes before the body.
    const asked = { userId: idOf(ctx), event: 'recovery_link.create' } as const;
    const { person, organizationId } = await findPersonToHelp(runtime, actor, asked);
    await readBody(ctx, nothing);
    ctx.status = 201;
    ctx.body = await createRecoveryLink(runtime, actor, person, organizationId);
  });

  fresh('delete', `${path}/:id/sessions`, 'write', async (ctx, actor) => {
    const asked = { userId: idOf(ctx), event: 'user.end_sessions' } as const;
    const found = await findPersonToHelp(runtime, actor, asked);
    await readBody(ctx, nothing);
    ctx.body = { ended: await endSessionsOf(runtime, actor, found) };
  });
}

function rulingRoutes({ fresh }: Endpoints, runtime: Runtime): void {
  const requireRight = (
    ctx: Context,
    actor: SignedInActor,
    capability: Capability,
    event: Attempt['event'],
  ) => {
    const id = isUuid(idOf(ctx)) ? idOf(ctx) : null;
    return requireCapability(runtime, actor, capability, { event, target: { type: 'user', id, name: null } });
  };

  fresh('put', `${path}/:id/role`, 'write', async (ctx, actor) => {
    await requireRight(ctx, actor, 'role:assign', 'user.change_role');
    const { role } = await readBody(ctx, roleChange);
    const { user, opened } = await changeRole(runtime, actor, idOf(ctx), role);
    if (opened) signIn(ctx, runtime, opened);
    ctx.body = { user };
  });

  fresh('post', `${path}/:id/disable`, 'write', async (ctx, actor) => {
    await requireRight(ctx, actor, 'user:manage', 'user.disable');
    await readBody(ctx, nothing);
    ctx.body = { user: await disableUser(runtime, actor, idOf(ctx)) };
    if (idOf(ctx) === actor.user.id) clearSessionCookie(ctx, runtime.config);
  });

  fresh('post', `${path}/:id/enable`, 'write', async (ctx, actor) => {
    await requireRight(ctx, actor, 'user:manage', 'user.enable');
    await readBody(ctx, nothing);
    ctx.body = { user: await enableUser(runtime, actor, idOf(ctx)) };
  });

  fresh('delete', `${path}/:id`, 'write', async (ctx, actor) => {
    await requireRight(ctx, actor, 'user:manage', 'user.delete');
    await readBody(ctx, nothing);
    await deleteUser(runtime, actor, idOf(ctx), 'user.delete');
    if (idOf(ctx) === actor.user.id) clearSessionCookie(ctx, runtime.config);
    ctx.status = 204;
  });

  fresh('delete', '/account', 'write', async (ctx, actor) => {
    await readBody(ctx, nothing);
    await deleteUser(runtime, actor, actor.user.id, 'account.delete');
    clearSessionCookie(ctx, runtime.config);
    ctx.status = 204;
  });
}

const idOf = (ctx: Context): string => `${ctx.params.id}`;
