import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import postgres, { type Sql } from 'postgres';
import { startDatabase } from './database.ts';

const server = fileURLToPath(new URL('support/server.js', import.meta.url));

/** A service in a separate process, without rate limits. */
export interface ServedDatabase {
  url: string;
  /** How many milliseconds the event loop of the service was busy since its start. */
  busyMs(): Promise<number>;
  stop(): Promise<void>;
}

/** A service on a temporary PostgreSQL. */
export interface MeasuredService extends ServedDatabase {
  sql: Sql;
}

export async function startService(env: Record<string, string> = {}): Promise<MeasuredService> {
  const database = await startDatabase();
  const { url, busyMs, stop } = await serveDatabase(database.url, env);
  const sql = postgres(database.url, { max: 1, onnotice: () => {} });
  return {
    url,
    sql,
    busyMs,
    stop: async () => {
      await stop();
      await sql.end();
      await database.stop();
    },
  };
}

export async function serveDatabase(
  databaseUrl: string,
  env: Record<string, string> = {},
): Promise<ServedDatabase> {
  const child = fork(server, {
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: databaseUrl,
      JWT_SECRET: randomBytes(32).toString('hex'),
      RATE_LIMIT: 'off',
      ...env,
    },
  });
  const [port] = await once(child, 'message');
  return {
    url: `http://127.0.0.1:${port}`,
    busyMs: async () => {
      child.send('busy?');
      const [ms] = await once(child, 'message');
      return ms;
    },
    stop: async () => {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}
