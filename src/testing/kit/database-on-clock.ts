import { type Database, Script, Statement } from '../../db/database.ts';

/**
 * A real database whose time is a test's. The time is put into what is sent, and the function that production asks
 * stays as it is: a database outlives the test, and must not be left with a clock that somebody has turned.
 */
export function databaseOnClock(database: Database, clock: () => Date): Database {
  return {
    // Scripts are migrations: one of them makes that very function.
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
