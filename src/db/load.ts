import type { Database, Statement } from './database.ts';

/** Counts of the statements that this process has sent to its database. */
export interface DatabaseLoad {
  /** Statements without a result yet: running, or waiting for a connection. */
  underWay: number;
  /** Statements that succeeded since the process started. */
  done: number;
  /** Statements that failed since the process started. */
  failed: number;
}

/** Wraps an adapter: counts its statements in `load`. */
export function withLoad(database: Database, load: DatabaseLoad): Database {
  return {
    async query<Row extends object>(statement: Statement) {
      load.underWay += 1;
      try {
        const rows = await database.query<Row>(statement);
        load.done += 1;
        return rows;
      } catch (error) {
        load.failed += 1;
        throw error;
      } finally {
        load.underWay -= 1;
      }
    },
  };
}
