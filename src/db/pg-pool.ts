import { createHash } from 'node:crypto';
import type { Database, Statement } from './database.ts';

/** The part of a `pg` pool (or of anything compatible with it) that we use. */
export interface PgPool {
  query(query: { text: string; values: unknown[]; name?: string }): Promise<{ rows: object[] }>;
  query(text: string): Promise<unknown>;
}

/** Runs our statements on a `pg` pool that the application has made; it stays the application's. */
export function fromPgPool(pool: PgPool): Database {
  const names = new Map<string, string>();

  // pg prepares a statement once a connection when it has a name; our statement texts are constant and few.
  function nameOf(text: string): string {
    const known = names.get(text);
    if (known) return known;
    // By its text: two services on one pool must not give one name to two statements.
    const name = `latchkey_${createHash('sha256').update(text).digest('base64url').slice(0, 20)}`;
    names.set(text, name);
    return name;
  }

  return {
    async query<Row extends object>(statement: Statement) {
      const { text, values } = statement;
      if (values.length === 0) {
        const result = await pool.query(text);
        return (Array.isArray(result) ? [] : (result as { rows: Row[] }).rows) as Row[];
      }
      const result = await pool.query({ name: nameOf(text), text, values });
      return result.rows as Row[];
    },
  };
}
