import { second } from '../core/duration.ts';

/** The time limit of a statement, including its retries. If a statement takes longer, the request fails with 503. */
export const statementTimeoutMs = 4 * second;

/** Thrown if a statement takes longer than `statementTimeoutMs`. */
export class StatementTimeout extends Error {
  override readonly name = 'StatementTimeout';
  constructor() {
    super(`the database did not respond within ${statementTimeoutMs / second} s`);
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
