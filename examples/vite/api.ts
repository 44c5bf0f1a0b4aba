import Koa from 'koa';
import { type AuthService, createAuthRouter, createCors, requireSession } from 'latchkey';

/** The API. Its pages come from another origin, which `origins` of the service lists. */
export function createApi(auth: AuthService): Koa {
  const app = new Koa();
  app.use(createAuthRouter(auth, { cors: true }).routes());

  // The application's own routes, also for the pages of the other origin.
  app.use(createCors(auth));
  app.use(requireSession(auth));
  app.use((ctx) => {
    ctx.body = { greeting: `Hello, ${ctx.state.auth.user.username}` };
  });
  return app;
}
