import Koa, { type Middleware } from 'koa';
import { type AuthService, createAuthRouter, type GuardedState, requireRole, requireSession } from 'latchkey';

/** An app as in the README: the router, then routes that require a session or a role and return the user. */
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
