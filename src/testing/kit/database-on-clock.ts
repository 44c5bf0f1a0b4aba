import { type Database, Script, Statement } from '../../db/database.ts';

/**
 * Wraps a real database so that it uses the test's clock. Replaces `latchkey.clock()` in each statement instead of the
 * function in the database, because the database outlives the test.
 */
export function databaseOnClock(database: Database, clock: () => Date): Database {
  return {
    // Scripts are migrations, one of which creates `latchkey.clock()`.
    query: (statement) => database.query(statement instanceof Script ? statement : at(clock(), statement)),
    close: async () => database.close?.(),
  };
}

function at(now: Date, { strings, values, entries }: Statement): Statement {
  const time = `timestamptz '${now.toISOString()}'`;
  return new Statement(
    strings.map((text) => text.replaceAll('latchkey.clock()', time)),
    values,
    entries,
  );
}
