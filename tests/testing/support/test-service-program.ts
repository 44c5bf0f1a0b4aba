import { createTestAuthService } from 'latchkey/testing';

// With a PostgreSQL URL as its argument, the program closes the service. With an in-memory database, the program does
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
