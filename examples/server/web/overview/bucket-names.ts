import { locale } from '../messages/text.ts';

const day: Intl.DateTimeFormatOptions = { month: 'short', day: 'numeric' };
const clock: Intl.DateTimeFormatOptions = { hour: 'numeric', minute: '2-digit' };

interface BucketFormat {
  /** Below the axis: "Nov 14", "2:00 PM". */
  label: (start: string) => string;
  /** In the tooltip and the table: "Saturday, Nov 14", "Saturday, Nov 14, 2:00 PM". */
  name: (start: string) => string;
}

/** Names the days or the hours of a chart, in the language of the page and the time zone of the browser. */
export function bucketFormat(isByHour: boolean): BucketFormat {
  const label = new Intl.DateTimeFormat(locale(), isByHour ? clock : day);
  const name = new Intl.DateTimeFormat(locale(), { weekday: 'long', ...day, ...(isByHour ? clock : {}) });
  return {
    label: (start) => label.format(new Date(start)),
    name: (start) => name.format(new Date(start)),
  };
}
