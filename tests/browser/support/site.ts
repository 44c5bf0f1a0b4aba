import { startExampleServer } from '../../support/example-server.ts';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts';

/** A running server with its own database. */
export interface Site {
  database: TestDatabase;
  origin: string;
  /** Changes all sessions so that their authentication is no longer fresh. */
  age(): Promise<void>;
  close(): Promise<void>;
}

/** @param env additional environment variables for the server */
export async function startSite(env: Record<string, string> = {}): Promise<Site> {
  const database = await createTestDatabase();
  try {
    // The lowest cost is enough here, because other tests check the duration of a password check.
    const server = await startExampleServer(database.url, { BCRYPT_COST: '4', ...env });
    return {
      database,
      origin: server.origin,
      age: async () => {
        await database.sql`
          update latchkey.sessions set authenticated_at = authenticated_at - interval '11 minutes'`;
      },
      close: async () => {
        server.process.kill('SIGTERM');
        await server.exit;
        await database.drop();
      },
    };
  } catch (error) {
    await database.drop();
    throw error;
  }
}
