import Koa from 'koa';
import { type AuthService, createAuthRouter, createCors, requireSession } from 'latchkey';

/** The API. The pages have another origin, which the option `origins` of the service lists. */
export function createApi(auth: AuthService): Koa {
  const app = new Koa();
  app.use(createAuthRouter(auth, { cors: true }).routes());

  // Lets the pages call the application's own routes, too.
  app.use(createCors(auth));
  app.use(requireSession(auth));
  app.use((ctx) => {
    ctx.body = { greeting: `Hello, ${ctx.state.auth.user.username}` };
  });
  return app;
}
