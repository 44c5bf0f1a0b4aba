import { createAuthService } from 'latchkey';
import { startEmbeddedPostgres } from 'latchkey/embedded';
import postgres from 'postgres';
import { createApp } from './app.ts';
import { access, schema } from './documents.ts';

// Uses the PostgreSQL in DATABASE_URL. Without DATABASE_URL, starts the embedded PostgreSQL.
const embedded = process.env.DATABASE_URL ? null : await startEmbeddedPostgres();
const sql = postgres(embedded?.url ?? `${process.env.DATABASE_URL}`, {
  fetch_types: false,
  onnotice: () => {},
});
const port = Number(process.env.PORT || 3000);
const auth = await createAuthService({
  ...access,
  // In development, the default origin is http://localhost:<port>.
  env: { ...process.env, SERVER_ADDR: `:${port}` },
  database: sql,
  migrationDatabase: embedded?.ownerUrl,
  migrate: true,
});
// After the migration, because the foreign keys refer to the tables of Latchkey.
await sql.unsafe(schema);

const server = createApp(auth, sql).listen(port);
process.stdout.write(`Team documents: ${auth.config.origins[0]}\n`);
process.once('SIGINT', async () => {
  server.close();
  await auth.close();
  await sql.end();
  await embedded?.stop();
});
