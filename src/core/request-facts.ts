/** The parts of a request that functions in the configuration can read. */
export interface RequestFacts {
  /** The method in upper case. Null: unknown. */
  readonly method: string | null;
  /** The path without the query. Empty: unknown. */
  readonly path: string;
  /** Returns the value of a header. Empty: the request does not have the header. */
  header(name: string): string;
}

/** How a request carries its session token: in a cookie, or as `Authorization: Bearer`. */
export type SessionTransport = 'cookie' | 'bearer';

/** A request that opens or renews a session. */
export interface SessionRequest extends RequestFacts {
  readonly transport: SessionTransport;
}
