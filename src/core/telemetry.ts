import type { ErrorCode } from './errors.ts';

/** A request to an endpoint of the service. */
export interface ObservedRequest {
  method: string;
  headers: object;
  /** The status of the response. Read after the request. */
  status(): number;
}

/** The endpoint that serves a request. */
export interface ObservedOperation {
  /** The operation's id in the OpenAPI document. */
  operation: string;
  /** The path with the names of its parameters: `/auth/invitations/:id`. */
  route: string;
}

/** What a statement does, without values. */
export interface StatementSummary {
  /** The verb of the statement, such as `insert`. */
  operation: string;
  /** The verbs and the tables of the statement: `insert sessions select users`. At most 255 characters. */
  summary: string;
}

/** A value that can rise and fall. */
export interface ObservedGauge {
  name: string;
  description: string;
  unit: string;
}

/**
 * Reports requests, operations and statements, for example to OpenTelemetry. Each method returns or throws what `work`
 * returns or throws.
 */
export interface Telemetry {
  request<T>(request: ObservedRequest, work: () => Promise<T>): Promise<T>;
  operation<T>(
    operation: ObservedOperation,
    work: () => Promise<T>,
    codeOf: (error: unknown) => ErrorCode,
  ): Promise<T>;
  statement<T>(statement: StatementSummary, work: () => Promise<T>): Promise<T>;
  /** Reports a value whenever metrics are read. Null: no value. @returns a function that ends the reports */
  gauge(gauge: ObservedGauge, read: () => number | null): () => void;
}
