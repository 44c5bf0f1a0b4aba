import { createAuthService } from 'latchkey';
import { startEmbeddedPostgres } from 'latchkey/embedded';
import { createApi } from './api.ts';

// Uses the PostgreSQL in DATABASE_URL. Without DATABASE_URL, starts the embedded PostgreSQL.
const embedded = process.env.DATABASE_URL ? null : await startEmbeddedPostgres();
const auth = await createAuthService({
  database: embedded?.url,
  migrationDatabase: embedded?.ownerUrl,
  migrate: true,
  // Vite serves the pages on this origin.
  origins: process.env.WEBAUTHN_RP_ORIGIN ?? 'http://localhost:5173',
});

const server = createApi(auth).listen(3000);
process.once('SIGINT', async () => {
  server.close();
  await auth.close();
  await embedded?.stop();
});
