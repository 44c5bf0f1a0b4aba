import type { Database, Statement } from 'latchkey';
import postgres from 'postgres';
import { type ServiceOn, startServiceOn } from '../../support/service-on.ts';
import type { TestService } from '../../support/test-service.ts';

/** A service whose changes can be rolled back. So each of a thousand requests finds the same data. */
export interface RewindableService extends ServiceOn {
  /** The texts of all statements sent so far. */
  statements: ReadonlySet<string>;
  /** Runs `act` and rolls back its changes. Only one call can run at a time. */
  rewinding<T>(act: () => Promise<T>): Promise<T>;
  /** Runs a statement on the connection of the instance. */
  run(text: string, values: unknown[]): Promise<object[]>;
  /** A digest of the rows of each table, by table name. The audit log is left out. */
  fingerprints(): Promise<Map<string, string>>;
}

/** Starts an instance of the service on a single connection. `rewinding` runs `act` in one transaction. */
export async function startRewindable({ database }: TestService): Promise<RewindableService> {
  const client = postgres(database.url, { max: 1, onnotice: () => {} });
  const oneByOne = inTurns();
  const statements = new Set<string>();
  /**
   * Whether a statement was sent since `rewinding` started. If not, the digests are those of the unchanged
   * data.
   */
  let touched = true;
  let untouched: Promise<Map<string, string>> | undefined;
  /** Begins the transaction with its first statement. Not awaited, because the connection runs statements in order. */
  function begin(): void {
    if (!touched) void client.unsafe('begin').execute();
    touched = true;
  }
  const port: Database = {
    query: <Row extends object>({ text, values }: Statement) =>
      oneByOne(async () => {
        begin();
        statements.add(text);
        // In production, each statement is its own transaction. So a failed statement must not abort this transaction.
        // The savepoint is not awaited, because the connection runs statements in order.
        const marked = client.unsafe('savepoint statement').catch(ignoreOutsideTransaction);
        try {
          return [...(await client.unsafe<Row[]>(text, values as never[], { prepare: values.length > 0 }))];
        } catch (error) {
          await marked;
          await client.unsafe('rollback to savepoint statement').catch(ignoreOutsideTransaction);
          throw error;
        }
      }),
  };
  const instance = await startServiceOn(port, {
    bcryptCost: 4,
    usernames: { change: 'user' },
    impersonation: true,
  });
  const digests = await digestOfEachTable(client);
  /** Returns whether the transaction has written. PostgreSQL gives a transaction its id before the first write. */
  const hasWritten = async () => {
    const [row] = await oneByOne(() =>
      client.unsafe<{ written: boolean }[]>('select pg_current_xact_id_if_assigned() is not null as written'),
    );
    return row?.written;
  };
  const readFingerprints = async () => {
    const rows = await oneByOne(() =>
      client.unsafe<{ name: string; digest: string }[]>(digests, [], { prepare: true }),
    );
    return new Map(rows.map(({ name, digest }) => [name, digest]));
  };
  return {
    ...instance,
    statements,
    run: (text, values) => port.query({ text, values, auditEvents: [], invalidates: [] }),
    rewinding: async (act) => {
      touched = false;
      try {
        return await act();
      } finally {
        await oneByOne(async () => {
          if (touched) await client.unsafe('rollback');
          touched = true;
        });
      }
    },
    fingerprints: async () => {
      if (touched && (await hasWritten())) return readFingerprints();
      untouched ??= readFingerprints();
      return untouched;
    },
    close: async () => {
      await instance.close();
      await client.end({ timeout: 1 });
    },
  };
}

/** While the service starts, no transaction is open, so a savepoint fails with 25P01. */
function ignoreOutsideTransaction(error: { code?: string }): void {
  if (error.code !== '25P01') throw error;
}

/** Returns a function that runs one task at a time, because all tasks share one transaction. */
function inTurns() {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(work: () => Promise<T>): Promise<T> => {
    const mine = last.then(work);
    last = mine.catch(() => {});
    return mine;
  };
}

/**
 * The SQL that reads the digests. The table names come from the catalog, so no table is missing. A digest is the sum
 * of the hashes of all rows, because rows have no order.
 */
async function digestOfEachTable(client: postgres.Sql): Promise<string> {
  const tables = await client<{ name: string }[]>`
    select tablename as name from pg_tables
    where schemaname = 'latchkey' and tablename <> 'audit_events' order by tablename`;
  return tables
    .map(
      ({ name }) => `
        select '${name}' as name, coalesce(sum(hashtextextended(t::text, 0)), 0)::text as digest
        from latchkey.${name} as t`,
    )
    .join(' union all ');
}

export const differences = (before: Map<string, string>, after: Map<string, string>): string[] =>
  [...before.keys()].filter((name) => before.get(name) !== after.get(name));
