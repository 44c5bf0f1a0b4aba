import type { Database } from 'latchkey';
import { createInMemoryDatabase } from 'latchkey/testing';

/** Creates a database that counts the calls of `close()`. */
export function watchedDatabase(): { database: Database; closed(): number } {
  const memory = createInMemoryDatabase();
  let times = 0;
  return {
    database: {
      query: (statement) => memory.query(statement),
      close: async () => {
        times += 1;
      },
    },
    closed: () => times,
  };
}
