import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startEmbeddedPostgres } from 'latchkey/embedded';
import postgres from 'postgres';

const main = fileURLToPath(new URL('../../examples/server/dist/main.js', import.meta.url));

/** Starts PostgreSQL in a temporary folder, and the built example server. */
export async function startSite() {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-screenshots-'));
  const database = await startEmbeddedPostgres({ directory: folder });
  const port = await freePort();
  const child = spawn(process.execPath, [main], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      SERVER_ADDR: `:${port}`,
      DATABASE_URL: database.url,
      MIGRATION_DATABASE_URL: database.ownerUrl,
      JWT_SECRET: 'for-screenshots-only-'.repeat(3),
      RATE_LIMIT: 'off',
      IMPERSONATION: 'on',
      // The pages show the addresses that the browsers of the screenshots send in X-Forwarded-For.
      TRUST_PROXY: '1',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let written = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (written += chunk));
  const origin = `http://localhost:${port}`;
  try {
    await untilReady(origin, child, () => written);
  } catch (error) {
    await database.stop();
    throw error;
  }
  const sql = postgres(database.superuserUrl, { max: 1, onnotice: () => {} });
  return {
    origin,
    sql,
    /** Changes the sessions of a user so that their authentication is no longer fresh. */
    age: (username) => sql`
      update latchkey.sessions set authenticated_at = authenticated_at - interval '11 minutes'
      where user_id = (select id from latchkey.users where username = ${username})`,
    async stop() {
      await sql.end();
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
      await database.stop();
      // PostgreSQL does not run as root. If root runs this script, the database is in another folder.
      for (const made of [dirname(database.dataDirectory), folder])
        await rm(made, { recursive: true, force: true });
    },
  };
}

async function untilReady(origin, child, output) {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the example server has ended:\n${output()}`);
    const answer = await fetch(`${origin}/readyz`).catch(() => null);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function freePort() {
  const server = createServer().listen(0);
  await once(server, 'listening');
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}
