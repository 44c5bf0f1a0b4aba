/** Tells waiting readers of the audit log when the log has grown. */
export interface LogProgress {
  /**
   * Waits until the last position of the log is another one, until `ms` milliseconds have passed, until `signal` aborts,
   * or until `close` is called.
   *
   * @param position the last position that the caller has read. Null: none
   * @throws AuthError `unavailable` if the database is unreachable
   */
  beyond(position: bigint | null, options: Waiting): Promise<void>;
  /** Waits for `ms` milliseconds, until `signal` aborts, or until `close` is called. */
  pause(options: Waiting): Promise<void>;
  /** Runs a read. `close` waits for it. */
  during<T>(read: () => Promise<T>): Promise<T>;
  /** Whether `close` was called. */
  readonly closed: boolean;
  /** Ends all waiting, and waits for the running reads. */
  close(): Promise<void>;
}

export interface Waiting {
  ms: number;
  signal?: AbortSignal | undefined;
}
