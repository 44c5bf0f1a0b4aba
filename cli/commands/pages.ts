import type { Flags } from '../command.ts';
import { remark } from '../output.ts';

export const pageFlags = {
  limit: { type: 'number', range: [1, 200], about: 'How many to list (default 50)' },
  cursor: { type: 'string', about: 'Continue after a page: the cursor that was printed below it' },
} as const satisfies Flags;

/** Prints how to list the next page. */
export function remarkNextPage({ nextCursor }: { nextCursor: string | null }): undefined {
  if (nextCursor !== null) remark('', `There are more. List them with: --cursor ${nextCursor}`);
}
