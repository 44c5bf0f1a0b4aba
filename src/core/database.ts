/** An SQL statement with the audit events it can record and the cached reads it invalidates. */
export interface Statement {
  /** SQL with `$n` placeholders. */
  readonly text: string;
  readonly values: unknown[];
  /** The audit events that the statement may record. Each is recorded only if its conditions hold. */
  readonly auditEvents: readonly AuditEventReference[];
  /** Ids whose cached reads the statement invalidates. */
  readonly invalidates: readonly string[];
}

/** The id and name of an audit event. The id is generated before the statement runs. */
export interface AuditEventReference {
  readonly id: string;
  readonly event: string;
}

/**
 * The port to the database. Implement it to use another driver; adapters for postgres.js and `pg` pools are built in.
 *
 * Run a statement with values as one prepared statement, and a statement without values with the simple query protocol.
 *
 * @example
 * const database: Database = { query: async ({ text, values }) => (await pool.query(text, values)).rows };
 */
export interface Database {
  query<Row extends object>(statement: Statement): Promise<Row[]>;
  /**
   * Subscribes to a channel on a connection of its own (PostgreSQL `listen`). Without this method, every session check
   * reads the database.
   */
  listen?(channel: string, subscriber: ChannelSubscriber): Promise<{ close(): Promise<void> }>;
  /** Closes the connections that the adapter opened. Does not close a client of the application. */
  close?(): Promise<void>;
}

/** The callbacks of a subscription to a channel. */
export interface ChannelSubscriber {
  /** A notification arrived. */
  onNotification(payload: string): void;
  /** The connection ended, for any reason. No further notification arrives. */
  onClose(): void;
}
