import Koa from 'koa';
import { createAuthRouter, createAuthService, requireSession } from 'latchkey';
import { startEmbeddedPostgres } from 'latchkey/embedded';

// Any PostgreSQL will do; this one comes from npm, for a first try.
const database = process.env.DATABASE_URL ?? (await startEmbeddedPostgres()).url;
const auth = await createAuthService({ database, migrate: true });

const app = new Koa();
app.use(createAuthRouter(auth).routes());

// From here on everything needs a session.
app.use(requireSession(auth));
app.use((ctx) => {
  ctx.body = `Hello ${ctx.state.auth.user.username}`;
});

app.listen(3000);
