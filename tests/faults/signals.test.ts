import { createSoftwareAuthenticator } from 'latchkey/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createAgent } from '../support/agent.ts';
import { type ExampleServer, startExampleServer } from '../support/example-server.ts';
import { newUsername } from '../support/person.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';

let database: TestDatabase;
let server: ExampleServer;
beforeEach(async () => {
  database = await createTestDatabase();
  server = await startExampleServer(database.url);
});
afterEach(async () => {
  server.process.kill('SIGKILL');
  await server.exit;
  await database.drop();
});

test('after SIGTERM under load, acknowledged sign-ups are stored and the process exits with 0', async () => {
  const acknowledged = await signUpUntilGone(() => server.process.kill('SIGTERM'));
  expect(await server.exit).toBe(0);
  expect(server.output()).toContain('"msg":"stopped"');
  await expectWholeAccounts(acknowledged);
});

test('after SIGKILL under load, acknowledged sign-ups are stored and no account is incomplete', async () => {
  const acknowledged = await signUpUntilGone(() => server.process.kill('SIGKILL'));
  expect(await server.exit).toBe('SIGKILL');
  await expectWholeAccounts(acknowledged);
});

test('a second signal immediately after the first does not change the shutdown (npm sends two)', async () => {
  server.process.kill('SIGINT');
  server.process.kill('SIGTERM');
  expect(await server.exit).toBe(0);
});

/** Twenty concurrent clients sign up repeatedly until the server process ends. */
async function signUpUntilGone(signal: () => void): Promise<string[]> {
  const acknowledged: string[] = [];
  let signaled = false;
  async function keepSigningUp(): Promise<void> {
    for (;;) {
      const username = newUsername('load');
      try {
        await signUpOnce(username);
      } catch {
        if (signaled) return;
        throw new Error('a signup failed before the signal');
      }
      acknowledged.push(username);
      if (acknowledged.length >= 60 && !signaled) {
        signaled = true;
        signal();
      }
    }
  }
  await Promise.all(Array.from({ length: 20 }, keepSigningUp));
  return acknowledged;
}

async function signUpOnce(username: string): Promise<void> {
  const browser = createAgent(server.origin, server.origin);
  const authenticator = createSoftwareAuthenticator({ origin: server.origin });
  const started = await browser.post('/auth/passkey/register/start', { username });
  const credential = await authenticator.create(started.body.options);
  const finished = await browser.post('/auth/passkey/register/verify', { credential });
  if (finished.status !== 201) throw new Error(`signup answered ${finished.status}`);
}

async function expectWholeAccounts(acknowledged: string[]): Promise<void> {
  const rows = await database.sql<
    { username: string; passkeys: number; sessions: number; entries: number }[]
  >`
    select username,
      (select count(*)::int from latchkey.passkeys where user_id = users.id) as passkeys,
      (select count(*)::int from latchkey.sessions where user_id = users.id) as sessions,
      (select count(*)::int from latchkey.audit_events where actor_id = users.id and outcome = 'success') as entries
    from latchkey.users`;
  expect(acknowledged.length).toBeGreaterThanOrEqual(60);
  expect(rows.map(({ username }) => username)).toEqual(expect.arrayContaining(acknowledged));
  for (const row of rows) expect(row).toMatchObject({ passkeys: 1, sessions: 1, entries: 1 });
}
