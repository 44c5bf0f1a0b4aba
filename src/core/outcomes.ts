import { AuthError, type ErrorCode, errorTable } from './errors.ts';

/** The number of requests to one operation with one outcome. */
export interface OperationCount {
  /** The operation's id in the OpenAPI document. */
  operation: string;
  status: number;
  /** Null: the request succeeded. */
  code: ErrorCode | null;
  count: number;
}

/** The outcomes of requests since the process started. */
export interface Outcomes {
  /** @param end the status of a successful response, or the error that the request caused */
  count(operation: string, end: number | { error: unknown }): void;
  list(): OperationCount[];
}

export function createOutcomes(): Outcomes {
  const counts = new Map<string, OperationCount>();
  return {
    count(operation, end) {
      const code = typeof end === 'number' ? null : codeOf(end.error);
      const status = typeof end === 'number' ? end : errorTable[code ?? 'internal_error'].status;
      const key = `${operation} ${code ?? status}`;
      const known = counts.get(key);
      if (known) known.count += 1;
      else counts.set(key, { operation, status, code, count: 1 });
    },
    list: () => [...counts.values()].map((each) => ({ ...each })),
  };
}

export const codeOf = (error: unknown): ErrorCode =>
  error instanceof AuthError ? error.code : 'internal_error';
