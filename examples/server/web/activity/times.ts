import { locale, t } from '../messages/text.ts';

const format = (time: string, options: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat(locale(), options).format(new Date(time));

/** "9:41 AM" */
export const formatClock = (time: string): string => format(time, { timeStyle: 'short' });

/** "Sunday, November 22, 2026 at 8:57:12 AM" */
export const formatSecond = (time: string): string =>
  format(time, { dateStyle: 'full', timeStyle: 'medium' });

const dayOf = (time: number): string => new Date(time).toDateString();

/** The heading of a day: "Today, November 22", "Friday, November 20", or with the year if it is another year. */
export function dayName(time: string, now = Date.now()): string {
  const isThisYear = new Date(time).getFullYear() === new Date(now).getFullYear();
  const year = isThisYear ? {} : ({ year: 'numeric' } as const);
  const day = format(time, { day: 'numeric', month: 'long', ...year });
  const yesterday = new Date(now);
  yesterday.setDate(yesterday.getDate() - 1);
  if (dayOf(Date.parse(time)) === dayOf(now)) return t('activity.today', { day });
  if (dayOf(Date.parse(time)) === dayOf(yesterday.getTime())) return t('activity.yesterday', { day });
  return format(time, { weekday: 'long', day: 'numeric', month: 'long', ...year });
}

interface Day<Event> {
  /** The local day, such as "Sun Nov 22 2026". */
  id: string;
  events: Event[];
}

/** Groups events by the day in the user's time zone. The events are sorted by time. */
export function daysOf<Event extends { at: string }>(events: readonly Event[]): Day<Event>[] {
  const days: Day<Event>[] = [];
  for (const event of events) {
    const id = dayOf(Date.parse(event.at));
    const last = days.at(-1);
    if (last?.id === id) last.events.push(event);
    else days.push({ id, events: [event] });
  }
  return days;
}
