/** An SQL statement. */
export interface Statement {
  /** SQL with `$n` placeholders. */
  readonly text: string;
  readonly values: unknown[];
  /** The audit events that the statement records, if the conditions in the SQL are true. */
  readonly auditEvents: readonly AuditEventReference[];
  /** The statement invalidates every cached read with one of these ids. */
  readonly invalidates: readonly string[];
}

/** The id and the name of an audit event. The service chooses the id before the statement runs. */
export interface AuditEventReference {
  readonly id: string;
  readonly event: string;
}

/**
 * The interface to the database. Latchkey implements it for postgres.js and for `pg` pools. Implement it yourself to
 * use another driver.
 *
 * If a statement has values, `query` must run it as one prepared statement. If a statement has no values, `query` must
 * use the simple query protocol.
 *
 * @example
 * const database: Database = { query: async ({ text, values }) => (await pool.query(text, values)).rows };
 */
export interface Database {
  query<Row extends object>(statement: Statement): Promise<Row[]>;
  /**
   * Subscribes to a channel of PostgreSQL notifications (`listen`) on a separate connection. Without this method, the
   * service does not cache sessions, and every session check reads the database.
   */
  listen?(channel: string, subscriber: ChannelSubscriber): Promise<Subscription>;
  /** Closes the connections that this adapter opened. Does not close a client that the application created. */
  close?(): Promise<void>;
}

/** A connection that listens to a channel. */
export interface Subscription {
  close(): Promise<void>;
  /**
   * Runs a statement on this connection. Rejects if the connection no longer works, or if its server is a
   * standby. The service calls this method every two seconds. It closes the connection if the check rejects
   * or takes longer than two seconds. Without this method, the service cannot notice a server that hangs.
   */
  check?(): Promise<void>;
}

/** The callbacks of a subscription to a channel. */
export interface ChannelSubscriber {
  onNotification(payload: string): void;
  /** Called when the connection has ended, for any reason. */
  onClose(): void;
}
