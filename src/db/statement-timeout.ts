import { second } from '../core/duration.ts';

/** Milliseconds until a statement times out with 503. Clients are promised an answer within 5 seconds. */
export const statementTimeoutMs = 4 * second;

/** Thrown when a statement takes longer than `statementTimeoutMs`. */
export class StatementTimeout extends Error {
  override readonly name = 'StatementTimeout';
  constructor() {
    super(`The database did not answer within ${statementTimeoutMs / second} s`);
  }
}

/** @throws StatementTimeout */
export async function withinTimeout<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new StatementTimeout()), statementTimeoutMs);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
