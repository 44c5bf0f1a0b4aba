import type { Statement } from 'latchkey';
import postgres from 'postgres';
import { type Backend, type Executed, prepared, selectRows } from './backend.ts';
import { type Effects, effectsOf, type TakenEffects, takeEffects } from './effects.ts';

/**
 * All statements of a schedule run on one connection, in one transaction that is rolled back at the end. In production,
 * each statement is its own transaction. Here, each statement is a savepoint, so that its failure undoes only itself.
 *
 * This is fast, but two statements never overlap. `two-connections.ts` runs overlapping statements.
 */
export function connectOnce(url: string): Backend {
  const client = postgres(url, { max: 1, fetch_types: false, onnotice: () => {} });
  const send = ({ text, values }: Pick<Statement, 'text' | 'values'>) =>
    client.unsafe<object[]>(text, values as never[], { prepare: values.length > 0 });

  async function executeInSavepoint(statement: Statement): Promise<{ rows: object[]; effects: Effects }> {
    // Sent without waiting: the connection runs its statements in order. `execute` sends a query of postgres.js, which
    // otherwise is only sent when it is awaited.
    const marked = client.unsafe('savepoint step').execute();
    const sent = send(statement).execute();
    const counted = client.unsafe<TakenEffects[]>(takeEffects, [], prepared).execute();
    counted.catch(() => {});
    try {
      await marked;
      return { rows: [...(await sent)], effects: effectsOf(await counted) };
    } catch (error) {
      await counted.catch(() => {});
      await client.unsafe('rollback to savepoint step');
      throw error;
    }
  }

  return {
    overlaps: false,
    begin: async () => void (await client.unsafe('begin')),
    async step(run) {
      const executed: Executed = { statement: run.next as Statement, effects: new Map(), result: 0 };
      await run.step(async (statement) => {
        try {
          const { rows, effects } = await executeInSavepoint(statement);
          Object.assign(executed, { effects, result: rows.length });
          return rows;
        } catch (error) {
          executed.result = error as Error;
          throw error;
        }
      });
      return executed;
    },
    rowsOf: (tables) =>
      tables.length === 0
        ? Promise.resolve([])
        : client.unsafe<{ name: string; row: string }[]>(selectRows(tables), [], prepared),
    namesOf: async (query) =>
      (await client.unsafe<{ name: string }[]>(query, [], prepared)).map(({ name }) => name),
    restore: async () => void (await client.unsafe('rollback')),
    close: () => client.end({ timeout: 1 }),
  };
}
