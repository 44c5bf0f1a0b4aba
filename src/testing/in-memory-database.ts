import { createRequire } from 'node:module';
import type { Database, Statement } from '../db/database.ts';
import { andStillOfEpoch } from '../sessions/store.ts';
import { parsedOnce, withValues } from './parsed-statements.ts';

/**
 * A database in this process's memory (pg-mem), for unit tests that should be fast and need no server. It runs the
 * service's own statements and migrations; where it falls short, only a real PostgreSQL tells:
 *
 * - It keeps no transactions apart and knows neither triggers nor locks: there are no races.
 * - It knows neither `lateral` nor a subquery that refers to the query around it: an admin who reads the audit log gets
 *   an error. Superadmins and operators can read it.
 * - A statement sees its own changes. Where one ends its caller's right to it (one's own account, or an organization
 *   by its admin, is deleted; a role of one's own given up), it is done, and the answer is a refusal.
 *
 * @param clock the database's time, as `latchkey.clock()` gives it
 * @throws Error where the optional peer `pg-mem` is not installed
 */
export function createInMemoryDatabase(clock: () => Date = () => new Date()): Database {
  const { newDb, DataType, parse } = loadPgMem();
  const memory = newDb();
  memory.createSchema('latchkey');

  // Scripts in these languages are not run: the clock is ours, and pg-mem has no triggers for functions to serve.
  memory.registerLanguage('sql', () => clock);
  memory.registerLanguage('plpgsql', () => () => null);
  memory.public.registerFunction({
    name: 'pg_advisory_xact_lock',
    args: [DataType.bigint],
    returns: DataType.integer,
    implementation: () => 1,
  });
  memory.public.registerFunction({
    name: 'least',
    args: [DataType.timestamptz, DataType.timestamptz],
    returns: DataType.timestamptz,
    implementation: (a: Date, b: Date) => (a < b ? a : b),
  });
  memory.public.registerFunction({
    name: 'left',
    args: [DataType.text, DataType.integer],
    returns: DataType.text,
    implementation: (text: string, count: number) => [...text].slice(0, count).join(''),
  });

  // Ours stand in a block of plpgsql, which is not run: what a test has done stays in its log.
  memory.getSchema('latchkey').registerFunction({
    name: 'forget_audit_events',
    args: [DataType.timestamptz, DataType.integer, DataType.uuid],
    returns: DataType.integer,
    implementation: () => 0,
  });

  return {
    query: async <Row extends object>({ text, values }: Statement): Promise<Row[]> => {
      try {
        // No row is ever locked, and nothing ends a session between a request's admission and its statement.
        const runnable = text
          .replace('for update skip locked', '')
          .replaceAll('for update of sessions', 'for update')
          .replaceAll(andStillOfEpoch.text, '');
        const { rows } = memory.public.query(withValues(parsedOnce(runnable, parse), values));
        // Copies, without what pg-mem notes on its own rows.
        return rows.map((row: Row) => Object.fromEntries(Object.entries(row)) as Row);
      } catch (error) {
        // PostgreSQL tells a missing table by its code, pg-mem only in words.
        if (error instanceof Error && /^relation .* does not exist/.test(error.message))
          Object.assign(error, { code: '42P01' });
        throw error;
      }
    },
  };
}

type PgMem = typeof import('pg-mem');
/** What pg-mem's `query` takes beside text. */
type Ast = Exclude<Parameters<ReturnType<PgMem['newDb']>['public']['query']>[0], string>;

/** pg-mem, with the parser that it works with itself. */
function loadPgMem(): PgMem & { parse(text: string): Ast } {
  // Required, not imported: the peer is optional, and a test's set-up should not have to be asynchronous for it.
  const require = createRequire(import.meta.url);
  const { parse } = createRequire(findPgMem(require))('pgsql-ast-parser');
  return { ...require('pg-mem'), parse };
}

function findPgMem(require: NodeJS.Require): string {
  try {
    return require.resolve('pg-mem');
  } catch (cause) {
    const message = 'a database in memory needs the package pg-mem: npm install --save-dev pg-mem';
    throw new Error(message, { cause });
  }
}
