import type { Statement } from 'latchkey';
import type postgres from 'postgres';

/** Runs the statements that change no row. */
export interface Reads {
  /** @param areRowsInitial whether the rows are those at the beginning of each schedule */
  read(statement: Statement, areRowsInitial: boolean): Promise<object[]>;
}

/** Enough for the statements of all operations. A statement with a new random value is useful only once. */
const maxResults = 20_000;

/**
 * All schedules begin on the same rows, and most operations first read. So until a statement changes rows, a read has the
 * same result in each schedule, and runs only once. The clocks stand still, so the result does not depend on the time.
 *
 * @param client rejects changes (`default_transaction_read_only`), so a statement that changes rows cannot pass as a read
 */
export function createReads(client: postgres.Sql): Reads {
  const results = new Map<string, readonly object[]>();
  const run = async ({ text, values }: Statement): Promise<object[]> => [
    ...(await client.unsafe<object[]>(text, values as never[], { prepare: values.length > 0 })),
  ];
  return {
    async read(statement, areRowsInitial) {
      if (!areRowsInitial) return run(statement);
      const key = JSON.stringify([statement.text, statement.values]);
      const known = results.get(key) ?? frozen(await run(statement));
      if (results.size < maxResults) results.set(key, known);
      return known.map((row) => ({ ...row }));
    },
  };
}

/** An operation that modified a value in a row would change the row for other schedules. Now it fails. */
function frozen<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
  for (const part of Object.values(value)) frozen(part);
  return Object.freeze(value);
}
