import type { Page } from 'latchkey';
import { type Given, numberFlag, textFlag } from '../command.ts';
import { remark } from '../output.ts';
import { UsageError } from '../usage-error.ts';

export const pageFlags = { limit: { type: 'number' }, cursor: { type: 'string' } } as const;

export const pageOptions = [
  ['--limit <n>', 'How many, 1 to 200; 50 by default'],
  ['--cursor <text>', 'Go on from there: what the page before ended with'],
] as const;

export function pageOf(given: Given): { limit?: number; cursor?: string | undefined } {
  const limit = numberFlag(given, 'limit');
  if (limit !== undefined && !(Number.isInteger(limit) && limit >= 1 && limit <= 200))
    throw new UsageError('--limit: expected a number from 1 to 200.');
  return { ...(limit !== undefined && { limit }), cursor: textFlag(given, 'cursor') };
}

/** Says how to see the rest, where there is one. */
export function remarkOnRest({ nextCursor }: Pick<Page<unknown>, 'nextCursor'>): void {
  if (nextCursor !== null) remark('', `There is more: --cursor ${nextCursor}`);
}

/** One of the words that a flag takes. @throws UsageError */
export function choice<T extends string>(given: Given, flag: string, among: readonly T[]): T | undefined {
  const text = textFlag(given, flag);
  if (text === undefined) return undefined;
  if (among.includes(text as T)) return text as T;
  throw new UsageError(`--${flag}: expected one of ${among.join(', ')}.`);
}
