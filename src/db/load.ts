import type { Database, Statement } from './database.ts';

/** What a process asks of its database: sums since it began, and what is under way. */
export interface DatabaseLoad {
  /** Sent, and not answered yet: on a connection, or waiting for one. */
  underWay: number;
  done: number;
  failed: number;
}

/** The adapter, counting its statements in `load`. */
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
