import { AuthError, type ErrorCode, errorTable } from './errors.ts';

/** How often an operation was answered in one way. */
export interface OperationCount {
  /** The operation's id in the OpenAPI document. */
  operation: string;
  status: number;
  /** Of a refusal. */
  code: ErrorCode | null;
  count: number;
}

/** Counts how requests were answered: sums since the process began, for whoever draws curves from them. */
export interface Outcomes {
  /** @param end the status of a success, or what was thrown */
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

const codeOf = (error: unknown): ErrorCode => (error instanceof AuthError ? error.code : 'internal_error');
