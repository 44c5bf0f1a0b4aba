import { Router } from '@koa/router';
import Koa, { type Context } from 'koa';
import {
  type AuthService,
  createAuthRouter,
  type GuardedState,
  requireFresh,
  requirePermission,
  requireRole,
} from 'latchkey';

/** Capabilities of this application, in addition to those of the service. */
export const capabilities = {
  user: { 'report:read': 'joined', 'report:publish': 'managed' },
} as const;

type Auth = AuthService<'report:read' | 'report:publish'>;

/** Each organization has a report. Members can read the report, and organization admins can publish it. */
export function createApp(auth: Auth): Koa {
  const router = new Router<GuardedState>();
  const ofOrganization = (ctx: Context) => ({ organizationId: `${ctx.params.id}` });
  router.get('/figures', requireRole(auth, 'admin'), (ctx) => {
    ctx.body = { readBy: ctx.state.auth.user.username };
  });
  router.get('/reports/:id', requirePermission(auth, 'report:read', ofOrganization), (ctx) => {
    ctx.body = { report: 'All is well.' };
  });
  router.post(
    '/reports/:id/publish',
    requirePermission(auth, 'report:publish', ofOrganization),
    requireFresh(auth),
    (ctx) => {
      ctx.status = 204;
    },
  );
  const app = new Koa();
  app.use(createAuthRouter(auth).routes());
  app.use(router.routes());
  return app;
}
