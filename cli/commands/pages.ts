import type { Flags } from '../command.ts';
import { remark } from '../output.ts';

export const pageFlags = {
  limit: { type: 'number', range: [1, 200], about: 'Items per page (default 50)' },
  cursor: { type: 'string', about: 'The cursor that was printed below the previous page' },
} as const satisfies Flags;

/** Prints how to list the next page. */
export function remarkNextPage({ nextCursor }: { nextCursor: string | null }): undefined {
  if (nextCursor !== null) remark('', `There are more. To list them, add: --cursor ${nextCursor}`);
}
