import { createTestAuthService } from 'latchkey/testing';

// If the argument is a PostgreSQL URL, the program closes the service. If the database is in memory, the program does
// not close the service, but the process must end anyway.
const [database] = process.argv.slice(2);
try {
  const { auth, signedInAs, close } = await createTestAuthService({ database });
  const { status } = await (await signedInAs('superadmin')).get('/auth/session');
  if (database) await close();
  process.stdout.write(JSON.stringify({ config: auth.config, status }));
} catch (error) {
  process.stdout.write(JSON.stringify({ error: String(error) }));
}
