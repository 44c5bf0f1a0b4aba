import { Router } from '@koa/router';
import type { Context } from 'koa';
import { type GuardedState, requirePermission, requireRole, requireSession } from 'latchkey';
import { clientOf } from '../client-address.ts';
import { answerErrors } from './answer-errors.ts';
import type { FilesAuthService } from './capabilities.ts';
import type { FileText, StoredFile } from './file.ts';
import { type NewFile, readChangedFile, readNewFile } from './input.ts';
import { limitRequests } from './rate-limit.ts';
import type { FileStore } from './store.ts';

interface State extends GuardedState {
  file: StoredFile;
  input: NewFile;
  change: FileText;
}

export interface FilesRouterOptions {
  /** The number of proxies that append to `X-Forwarded-For`. */
  trustedProxies: number;
  /** If false, these routes have no rate limit. */
  rateLimit: boolean;
  /** Requests per minute. */
  perAddress?: number;
  perUser?: number;
}

/**
 * Routes for files, as an example of an application's own feature. Latchkey's guards decide who can read and change
 * files.
 *
 * A body can take seconds to arrive, and permissions can change in that time. So the guard for a write runs after the
 * body is read. Before the body is read, `requireSession` runs, so that only signed-in users can send a body.
 *
 * An impersonator can read files, but cannot create, change or delete any (`impersonated: false`).
 */
export function createFilesRouter(
  auth: FilesAuthService,
  files: FileStore,
  { trustedProxies, rateLimit, perAddress = 600, perUser = 120 }: FilesRouterOptions,
): Router<State> {
  const router = new Router<State>({ prefix: '/api', strict: true, sensitive: true });
  const limitAddress = limitRequests(perAddress, (ctx) => clientOf(ctx, trustedProxies));
  const limitUser = limitRequests(perUser, (ctx) => ctx.state.auth.user.id);

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
  if (rateLimit) router.use(limitAddress, requireSession(auth), limitUser);
  else router.use(requireSession(auth));

  router.get('/files', async (ctx) => {
    const { id } = ctx.state.auth.user;
    const principal = await auth.principalOf(id);
    const joined = principal?.memberships.map(({ organizationId }) => organizationId) ?? [];
    ctx.body = { files: await files.list(id, joined) };
  });

  router.get('/files/overview', requireRole(auth, 'admin'), async (ctx) => {
    const principal = await auth.principalOf(ctx.state.auth.user.id);
    const mayCount = (resource?: { organizationId: string }) =>
      principal !== null && auth.can(principal, 'file:count', resource);
    const ids = principal?.memberships.filter(mayCount).map(({ organizationId }) => organizationId) ?? [];
    ctx.body = { organizations: await files.count(mayCount() ? null : ids) };
  });

  router.post(
    '/files',
    async (ctx, next) => {
      ctx.state.input = await readNewFile(ctx);
      await next();
    },
    requirePermission(
      auth,
      'file:create',
      ({ state }) => {
        const { organizationId } = state.input;
        return organizationId === null ? { ownerId: state.auth.user.id } : { organizationId };
      },
      { impersonated: false },
    ),
    async (ctx) => {
      const { input, auth: by } = ctx.state;
      const file = await files.create(input, by.user, input.organizationId);
      if (!file)
        return ctx.throw(409, 'The user or organization already has 100 files. Delete a file first.', {
          code: 'too_many_files',
        });
      ctx.status = 201;
      ctx.body = { file, mayManage: true };
    },
  );

  router.get('/files/:id', requirePermission(auth, 'file:read', resource), async (ctx) => {
    const { file, auth: by } = ctx.state;
    ctx.body = { file, mayManage: await mayManage(by.user.id, file) };
  });

  router.put(
    '/files/:id',
    async (ctx, next) => {
      ctx.state.change = await readChangedFile(ctx);
      await next();
    },
    requirePermission(auth, 'file:manage', resource, { impersonated: false }),
    async (ctx) => {
      const file = await files.update(ctx.state.file.id, ctx.state.change);
      if (!file) return ctx.throw(404, 'Not found.', { code: 'not_found' });
      ctx.body = { file, mayManage: true };
    },
  );

  router.delete(
    '/files/:id',
    requirePermission(auth, 'file:manage', resource, { impersonated: false }),
    async (ctx) => {
      await files.remove(ctx.state.file.id);
      ctx.status = 204;
    },
  );

  return router;
}
