// The pages are in English, so dates use the English locale that the user prefers.
const locale = navigator.languages.find((language) => /^en\b/.test(language)) ?? 'en-GB';

const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
const clock = new Intl.DateTimeFormat(locale, { timeStyle: 'short' });
const exact = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'short' });
const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });

const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/** "3 Nov 2026" */
export const formatDay = (time: string): string => day.format(new Date(time));

/** "Tuesday 3 November 2026 at 14:05" */
export const formatExact = (time: string): string => exact.format(new Date(time));

/** "5 minutes ago" or "yesterday". "just now" for the last minute and for the future. */
export function formatRelative(time: string, now = Date.now()): string {
  const seconds = (now - Date.parse(time)) / 1000;
  const unit = units.find(([, length]) => seconds >= length);
  return unit ? relative.format(-Math.floor(seconds / unit[1]), unit[0]) : 'just now';
}

const isSameDay = (time: Date, now: number): boolean => time.toDateString() === new Date(now).toDateString();

/** "2:05 PM" today, else "Nov 3, 2026 at 2:05 PM". */
export function formatMoment(time: string, now = Date.now()): string {
  const moment = new Date(time);
  return isSameDay(moment, now) ? clock.format(moment) : `${day.format(moment)} at ${clock.format(moment)}`;
}

/** "at 2:05 PM" today, else "on Nov 3, 2026 at 2:05 PM". */
export const formatAt = (time: string, now = Date.now()): string =>
  `${isSameDay(new Date(time), now) ? 'at' : 'on'} ${formatMoment(time, now)}`;

const minuteMs = 60_000;

/** Like `formatMoment`, but rounded up to the minute, so that a start time is never shown too early. */
export const formatStart = (time: string, now = Date.now()): string =>
  formatMoment(new Date(Math.ceil(Date.parse(time) / minuteMs) * minuteMs).toISOString(), now);
