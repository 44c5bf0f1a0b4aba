import type { Database, Statement } from '../../core/database.ts';
import { Script } from '../../db/sql.ts';

/**
 * Wraps a real database, so that statements use the test's clock. Replaces `latchkey.clock()` in the text of each
 * statement. Does not replace the function in the database, because the database still exists after the test.
 */
export function databaseOnClock(database: Database, clock: () => Date): Database {
  return {
    // Scripts are migrations. They stay unchanged, because one of them creates `latchkey.clock()`.
    query: (statement) => database.query(statement instanceof Script ? statement : at(clock(), statement)),
    close: async () => database.close?.(),
  };
}

function at(now: Date, { text, values, auditEvents, invalidates }: Statement): Statement {
  const time = `timestamptz '${now.toISOString()}'`;
  return { text: text.replaceAll('latchkey.clock()', time), values, auditEvents, invalidates };
}
