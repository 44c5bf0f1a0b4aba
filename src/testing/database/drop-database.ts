import type { Sql as PostgresClient } from 'postgres';

/**
 * Drops a database and ends its connections. PostgreSQL can refuse this for two reasons, so it tries again: a connection
 * is still ending; or a worker of autovacuum is in the database, which `force` must not end because it belongs to a
 * superuser. Without `force`, PostgreSQL ends such a worker, and waits up to five seconds for connections.
 */
export async function dropDatabase(admin: PostgresClient, name: string, attempts = 5): Promise<void> {
  const statement = `drop database if exists ${name}`;
  try {
    await admin.unsafe(`${statement} with (force)`).catch(() => admin.unsafe(statement));
  } catch (error) {
    if (attempts === 1) throw error;
    await dropDatabase(admin, name, attempts - 1);
  }
}
