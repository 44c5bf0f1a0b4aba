import Koa from 'koa';
import { createAuthRouter, createAuthService, requireSession } from 'latchkey';
import { startEmbeddedPostgres } from 'latchkey/embedded';

// Uses the PostgreSQL in DATABASE_URL. Without DATABASE_URL, starts one that npm has installed.
const embedded = process.env.DATABASE_URL ? null : await startEmbeddedPostgres();
const auth = await createAuthService({
  database: embedded?.url,
  migrationDatabase: embedded?.ownerUrl,
  migrate: true,
});

const app = new Koa();
app.use(createAuthRouter(auth).routes());

// Everything below requires a session.
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
