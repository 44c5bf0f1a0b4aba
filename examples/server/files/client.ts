import { AuthError } from 'latchkey';
import postgres, { type Sql } from 'postgres';

const limitMs = 4000;

/**
 * Runs a query with a time limit. Without the limit, requests would wait for as long as the database hangs.
 */
export type Run = <T>(query: (sql: Sql) => Promise<T>) => Promise<T>;

/**
 * Connects to the database. `run` throws `unavailable` (503) after four seconds, if a change reaches a standby, or if the
 * connections were replaced during the query. Later queries then use new connections.
 */
export function connect(databaseUrl: string): { run: Run; close(): Promise<void> } {
  let sql = open(databaseUrl);

  /**
   * Opens new connections if the database hangs or is a standby. Later queries would wait for the connections
   * that hang. After a failover, new connections reach the new primary.
   */
  function replace(old: Sql): void {
    if (old !== sql) return;
    sql = open(databaseUrl);
    old.end({ timeout: 0 }).catch(() => {});
  }

  return {
    async run(query) {
      const used = sql;
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => {
          replace(used);
          reject(new AuthError('unavailable'));
        }, limitMs);
      });
      try {
        return await Promise.race([query(used), late]);
      } catch (error) {
        if (isReadOnlyServer(error)) replace(used);
        // If another query has found that the database hangs, its connections were replaced, which ended this query.
        else if (used === sql || !isEndedConnection(error)) throw error;
        throw new AuthError('unavailable');
      } finally {
        clearTimeout(timer);
      }
    },
    close: () => sql.end({ timeout: 1 }),
  };
}

const open = (databaseUrl: string): Sql =>
  postgres(databaseUrl, {
    max: 4,
    connect_timeout: 5,
    onnotice: () => {},
    // With several hosts, this option chooses the primary. With one host, it would only cost a query for each new
    // connection.
    ...(hasSeveralHosts(databaseUrl) && { target_session_attrs: 'primary' }),
    // Turns off postgres.js's query for the array types. postgres.js does not await this query. If the connection ended
    // during the query, the process would end too.
    fetch_types: false,
  });

const hasSeveralHosts = (databaseUrl: string): boolean => /^[^/]*\/\/(?:[^/]*@)?[^/@]*,/.test(databaseUrl);

/** Tells whether a change failed because the server is a standby. */
const isReadOnlyServer = (error: unknown): boolean =>
  error instanceof postgres.PostgresError && error.code === '25006';

const isEndedConnection = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && /^CONNECTION_(DESTROYED|ENDED|CLOSED)$/.test(`${error.code}`);
