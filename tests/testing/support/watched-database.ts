import type { Database } from 'latchkey';
import { createInMemoryDatabase } from 'latchkey/testing';

/** A database that counts calls of close(). */
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
