import Koa, { type Middleware } from 'koa';
import {
  createAuthRouter,
  createAuthService,
  type GuardedState,
  requireRole,
  requireSession,
} from 'latchkey';
import { serve } from './serve.ts';

// As the README has it: the router, then what needs a session.
const isPreparing = process.argv[2] === 'prepare';
const auth = await createAuthService({ migrate: isPreparing });
if (isPreparing) {
  await auth.close();
  process.exit(0);
}

const app = new Koa<GuardedState>();
app.use(createAuthRouter(auth).routes());
const guards: Record<string, Middleware> = {
  '/me': requireSession(auth),
  '/admin': requireRole(auth, 'admin'),
};
app.use((ctx, next) => guards[ctx.path]?.(ctx, next));
app.use((ctx) => {
  ctx.body = { user: ctx.state.auth.user };
});
serve(app.callback());
