import { beginningOf } from './calendar.ts';

/** The time range of the events. `custom`: the days that the user chose. */
export type Period = '' | 'today' | 'yesterday' | '7d' | '30d' | 'custom';

export const periods: readonly Period[] = ['', 'today', 'yesterday', '7d', '30d', 'custom'];

interface Days {
  period: Period;
  /** Days in the user's time zone, such as "2026-11-22". Both days are included. */
  firstDay: string;
  lastDay: string;
}

/** How many days before today a period begins, and how many days before today it ends. */
const spans: Partial<Record<Period, readonly [first: number, last: number]>> = {
  today: [0, 0],
  yesterday: [1, 1],
  '7d': [6, 0],
  '30d': [29, 0],
};

/** The start and the end of a period. The end is exclusive. */
export function timesOf(
  { period, firstDay, lastDay }: Days,
  today = new Date(),
): { from?: string | undefined; to?: string | undefined } {
  if (period === 'custom') return { from: beginningOf(firstDay, 0), to: beginningOf(lastDay, 1) };
  const span = spans[period];
  if (!span) return {};
  const now = `${today.getFullYear()}-${today.getMonth() + 1}-${today.getDate()}`;
  const [first, last] = span;
  // A period that includes today has no end, so that the list also shows new events.
  return { from: beginningOf(now, -first), to: last === 0 ? undefined : beginningOf(now, 1 - last) };
}
