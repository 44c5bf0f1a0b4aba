import Koa, { type Middleware } from 'koa';
import { type AuthService, createAuthRouter, type GuardedState, requireRole, requireSession } from 'latchkey';

/** An app as the README has it: the router, then what needs a session or a role and tells who asked. */
export function guardedApp(auth: AuthService): Koa<GuardedState> {
  const app = new Koa<GuardedState>();
  app.use(createAuthRouter(auth).routes());
  const guards: Record<string, Middleware> = {
    '/me': requireSession(auth),
    '/user': requireRole(auth, 'user'),
    '/admin': requireRole(auth, 'admin'),
  };
  app.use((ctx, next) => guards[ctx.path]?.(ctx, next));
  app.use((ctx) => {
    ctx.body = { user: ctx.state.auth.user };
  });
  return app;
}
