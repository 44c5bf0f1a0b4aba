import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import postgres, { type Sql } from 'postgres';
import { startDatabase } from './database.ts';

const server = fileURLToPath(new URL('support/server.js', import.meta.url));

/** A service in a process of its own on a PostgreSQL of its own, without rate limits. */
export interface MeasuredService {
  url: string;
  sql: Sql;
  stop(): Promise<void>;
}

export async function startService(env: Record<string, string> = {}): Promise<MeasuredService> {
  const database = await startDatabase();
  const child = fork(server, {
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: database.url,
      JWT_SECRET: randomBytes(32).toString('hex'),
      RATE_LIMIT: 'off',
      ...env,
    },
  });
  const [port] = await once(child, 'message');
  const sql = postgres(database.url, { max: 1, onnotice: () => {} });
  return {
    url: `http://127.0.0.1:${port}`,
    sql,
    stop: async () => {
      child.kill('SIGTERM');
      await once(child, 'exit');
      await sql.end();
      await database.stop();
    },
  };
}
