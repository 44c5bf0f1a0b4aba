import type { Database } from '../core/database.ts';
import { SchemaError } from './schema-error.ts';
import { sql } from './sql.ts';

/**
 * Reads a secret that a migration has created. The service reads it once at start, so that requests need no further
 * round trip.
 *
 * @throws SchemaError `schema_edited` if the row was deleted
 */
export async function readStoredSecret(db: Database, name: 'decoys'): Promise<string> {
  const [row] = await db.query<{ secret: string }>(sql`
    select secrets.secret from latchkey.secrets where secrets.name = ${name}::text`);
  if (row) return row.secret;
  throw new SchemaError(
    'schema_edited',
    `The table latchkey.secrets lacks the row "${name}". Restore it from a backup, or insert a row with a new random secret.`,
  );
}
