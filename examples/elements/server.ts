import { createAuthService } from 'latchkey';
import { startEmbeddedPostgres } from 'latchkey/embedded';
import { createApp } from './app.ts';

// Uses the PostgreSQL in DATABASE_URL. Without DATABASE_URL, starts the embedded PostgreSQL.
const embedded = process.env.DATABASE_URL ? null : await startEmbeddedPostgres();
const port = Number(process.env.PORT || 3000);
const auth = await createAuthService({
  // In development, the default origin is http://localhost:<port>.
  env: { ...process.env, SERVER_ADDR: `:${port}` },
  database: embedded?.url,
  migrationDatabase: embedded?.ownerUrl,
  migrate: true,
});

const server = createApp(auth).listen(port);
process.once('SIGINT', async () => {
  server.close();
  await auth.close();
  await embedded?.stop();
});
