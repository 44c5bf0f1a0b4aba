import { createTestAuthService } from 'latchkey/testing';

// On the PostgreSQL that the argument names, whose connections are closed; or in memory, where nothing is: the process
// is to end all the same.
const [database] = process.argv.slice(2);
try {
  const { auth, signedInAs, close } = await createTestAuthService({ database });
  const { status } = await (await signedInAs('superadmin')).get('/auth/session');
  if (database) await close();
  process.stdout.write(JSON.stringify({ config: auth.config, status }));
} catch (error) {
  process.stdout.write(JSON.stringify({ error: String(error) }));
}
