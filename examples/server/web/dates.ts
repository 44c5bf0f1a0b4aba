import { locale, t } from './messages/text.ts';

const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/** Makes formatters for the language of the page. Caches them, because creating a formatter is slow. */
function byLocale<Formatter>(make: (locale: string) => Formatter): () => Formatter {
  const made = new Map<string, Formatter>();
  return () => {
    const formatter = made.get(locale()) ?? make(locale());
    made.set(locale(), formatter);
    return formatter;
  };
}

const day = byLocale((of) => new Intl.DateTimeFormat(of, { dateStyle: 'medium' }));
const clock = byLocale((of) => new Intl.DateTimeFormat(of, { timeStyle: 'short' }));
const exact = byLocale((of) => new Intl.DateTimeFormat(of, { dateStyle: 'full', timeStyle: 'short' }));
const relative = byLocale((of) => new Intl.RelativeTimeFormat(of, { numeric: 'auto' }));
const number = byLocale((of) => new Intl.NumberFormat(of));

/** "12,345" */
export const formatNumber = (value: number): string => number().format(value);

/** "Nov 3, 2026" */
export const formatDay = (time: string): string => day().format(new Date(time));

/** "Tuesday, November 3, 2026 at 2:05 PM" */
export const formatExact = (time: string): string => exact().format(new Date(time));

/** "5 minutes ago" or "yesterday". "just now" for the last minute and for the future. */
export function formatRelative(time: string, now = Date.now()): string {
  const seconds = (now - Date.parse(time)) / 1000;
  const unit = units.find(([, length]) => seconds >= length);
  return unit ? relative().format(-Math.floor(seconds / unit[1]), unit[0]) : t('common.justNow');
}

const isSameDay = (time: Date, now: number): boolean => time.toDateString() === new Date(now).toDateString();
const partsOf = (time: Date) => ({ day: day().format(time), time: clock().format(time) });

/** "2:05 PM" today, else "Nov 3, 2026 at 2:05 PM". In German, "14:05 Uhr" today. */
export function formatMoment(time: string, now = Date.now()): string {
  const parts = partsOf(new Date(time));
  return isSameDay(new Date(time), now)
    ? t('common.today', { time: parts.time })
    : t('common.dayAndTime', parts);
}

/** "at 2:05 PM" today, else "on Nov 3, 2026 at 2:05 PM". */
export function formatAt(time: string, now = Date.now()): string {
  const parts = partsOf(new Date(time));
  return isSameDay(new Date(time), now)
    ? t('common.atTime', { time: parts.time })
    : t('common.onDayAtTime', parts);
}

const minuteMs = 60_000;

/** Like `formatMoment`, but rounded up to the minute, so that a start time is never shown too early. */
export const formatStart = (time: string, now = Date.now()): string =>
  formatMoment(new Date(Math.ceil(Date.parse(time) / minuteMs) * minuteMs).toISOString(), now);
