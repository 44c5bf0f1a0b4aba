import { createTestAuthService } from 'latchkey/testing';

// With a PostgreSQL URL as the argument, the program closes the service. In memory it does not, and the process must end
// anyway.
const [database] = process.argv.slice(2);
try {
  const { auth, signedInAs, close } = await createTestAuthService({ database });
  const { status } = await (await signedInAs('superadmin')).get('/auth/session');
  if (database) await close();
  process.stdout.write(JSON.stringify({ config: auth.config, status }));
} catch (error) {
  process.stdout.write(JSON.stringify({ error: String(error) }));
}
