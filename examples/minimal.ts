import Koa from 'koa';
import { createAuthRouter, createAuthService, requireSession } from 'latchkey';
import { startEmbeddedPostgres } from 'latchkey/embedded';

// Any PostgreSQL will do; this one comes from npm, for a first try.
const embedded = process.env.DATABASE_URL ? null : await startEmbeddedPostgres();
const auth = await createAuthService({ database: embedded?.url, migrate: true });

const app = new Koa();
app.use(createAuthRouter(auth).routes());

// From here on everything needs a session.
app.use(requireSession(auth));
app.use((ctx) => {
  ctx.body = `Hello ${ctx.state.auth.user.username}`;
});

const server = app.listen(3000);
process.once('SIGINT', async () => {
  server.close();
  await auth.close();
  await embedded?.stop();
});
