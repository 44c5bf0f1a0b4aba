/** The periods of an overview. */
export const overviewPeriods = ['24h', '7d', '30d', '90d'] as const;

export type OverviewPeriod = (typeof overviewPeriods)[number];

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** The longest time for which a request reads events. Without this limit, a request could read the whole audit log. */
const longestTailMs = 2 * dayMs;

/** The number of days in each period. The period of 24 hours has hours instead. */
export const daysIn: Record<OverviewPeriod, number> = { '24h': 1, '7d': 7, '30d': 30, '90d': 90 };

/** The times of a period, in milliseconds since 1970. */
export interface OverviewRange {
  /** The start of the previous period, which has the same length. */
  previousStart: number;
  /** The starts of the hours (24 hours), or of the days in the time zone (all other periods), oldest first. */
  starts: number[];
  /** The start of the hours or UTC days in which users count as active, in this period and in the previous period. */
  active: { unit: 'hour' | 'day'; start: number; previousStart: number };
}

/**
 * Divides a period into hours or days. The period ends now, so the last hour or day is incomplete.
 *
 * @param timeZone a time zone that `isTimeZone` accepts
 */
export function overviewRange(period: OverviewPeriod, now: number, timeZone: string): OverviewRange {
  if (period === '24h') {
    const thisHour = now - (now % hourMs);
    const starts = Array.from({ length: 24 }, (_, index) => thisHour - (23 - index) * hourMs);
    const [start = thisHour] = starts;
    const previousStart = start - dayMs;
    return { previousStart, starts, active: { unit: 'hour', start, previousStart } };
  }
  const days = daysIn[period];
  const today = localDate(now, timeZone);
  const midnight = (ago: number) => midnightIn(timeZone, today - ago * dayMs);
  const utcDay = now - (now % dayMs);
  return {
    previousStart: midnight(2 * days - 1),
    starts: Array.from({ length: days }, (_, index) => midnight(days - 1 - index)),
    active: {
      unit: 'day',
      start: utcDay - (days - 1) * dayMs,
      previousStart: utcDay - (2 * days - 1) * dayMs,
    },
  };
}

/** Rounds up to a full hour (UTC), because the service counts by hours. */
export const fullHour = (time: number): number => Math.ceil(time / hourMs) * hourMs;

/**
 * The time from which the overview reads the audit log. Before this time, it reads the counted hours.
 *
 * @param countedUntil the end of the last counted hour; null: no hour is counted
 */
export const tailStart = (countedUntil: number | null, now: number): number =>
  Math.max(Math.min(countedUntil ?? 0, now - (now % hourMs)), now - (now % hourMs) - longestTailMs);

/** Whether the text is the name of a time zone that this process knows, such as `Europe/Berlin`. */
export function isTimeZone(text: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/.test(text)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return true;
  } catch {
    return false;
  }
}

const formatOf = (timeZone: string) =>
  new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });

/** The local time, as if it were UTC. */
function localTime(time: number, format: Intl.DateTimeFormat): number {
  const parts: Record<string, number> = {};
  for (const { type, value } of format.formatToParts(time)) parts[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

/** The start of the local day, as if it were UTC. */
function localDate(time: number, timeZone: string): number {
  const local = localTime(time, formatOf(timeZone));
  return local - (local % dayMs);
}

/** The time when a day starts in a time zone. @param date the start of the day, as if it were UTC */
function midnightIn(timeZone: string, date: number): number {
  const format = formatOf(timeZone);
  const offsetAt = (time: number) => localTime(time, format) - time;
  const guess = date - offsetAt(date);
  // The offset at the guess can differ from the offset at `date`, because of daylight saving time.
  return date - offsetAt(guess);
}
