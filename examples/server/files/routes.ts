import { Router } from '@koa/router';
import type { Context } from 'koa';
import {
  type AuthService,
  type GuardedState,
  requirePermission,
  requireRole,
  requireSession,
} from 'latchkey';
import { answerErrors } from './answer-errors.ts';
import type { StoredFile } from './file.ts';
import { type NewFile, readChangedFile, readNewFile } from './input.ts';
import type { FileStore } from './store.ts';

interface State extends GuardedState {
  file: StoredFile;
  input: NewFile;
}

/** Files as somebody would add them to an app that has its accounts from Latchkey: its guards decide who may what. */
export function createFilesRouter(auth: AuthService, files: FileStore): Router<State> {
  const router = new Router<State>({ prefix: '/api/files' });

  /** The guards ask whose it is before they let anybody by; a stranger learns no more than that nothing is there. */
  const resource = async (ctx: Context) => {
    const file = await files.find(`${ctx.params.id}`);
    if (file) ctx.state.file = file;
    return file;
  };
  const mayManage = async (userId: string, file: StoredFile) => {
    const principal = await auth.principalOf(userId);
    return principal !== null && auth.can(principal, 'file:manage', file);
  };

  router.use(answerErrors);
  router.use((ctx, next) => {
    ctx.set('Cache-Control', 'no-store');
    return next();
  });

  router.get('/', requireSession(auth), async (ctx) => {
    const { id } = ctx.state.auth.user;
    const principal = await auth.principalOf(id);
    const joined = principal?.memberships.map(({ organizationId }) => organizationId) ?? [];
    ctx.body = { files: await files.list(id, joined) };
  });

  router.get('/overview', requireRole(auth, 'admin'), async (ctx) => {
    const principal = await auth.principalOf(ctx.state.auth.user.id);
    const managed = principal?.memberships.filter(({ role }) => role === 'admin') ?? [];
    const isAll = principal?.role === 'superadmin';
    const ids = managed.map(({ organizationId }) => organizationId);
    ctx.body = { organizations: await files.count(isAll ? null : ids) };
  });

  router.post(
    '/',
    requireSession(auth),
    async (ctx, next) => {
      ctx.state.input = await readNewFile(ctx);
      await next();
    },
    requirePermission(auth, 'file:create', ({ state }) => {
      const { organizationId } = state.input;
      return organizationId === null ? { ownerId: state.auth.user.id } : { organizationId };
    }),
    async (ctx) => {
      const { input, auth: by } = ctx.state;
      const file = await files.create(input, by.user, input.organizationId);
      if (!file)
        return ctx.throw(409, 'There are 100 files already. Delete one first.', { code: 'too_many_files' });
      ctx.status = 201;
      ctx.body = { file, mayManage: true };
    },
  );

  router.get('/:id', requirePermission(auth, 'file:read', resource), async (ctx) => {
    const { file, auth: by } = ctx.state;
    ctx.body = { file, mayManage: await mayManage(by.user.id, file) };
  });

  router.put('/:id', requirePermission(auth, 'file:manage', resource), async (ctx) => {
    const file = await files.update(ctx.state.file.id, await readChangedFile(ctx));
    if (!file) return ctx.throw(404, 'There is nothing here.', { code: 'not_found' });
    ctx.body = { file, mayManage: true };
  });

  router.delete('/:id', requirePermission(auth, 'file:manage', resource), async (ctx) => {
    await files.remove(ctx.state.file.id);
    ctx.status = 204;
  });

  return router;
}
