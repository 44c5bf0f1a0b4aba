/** `40 s`, `12 min` or `71 h`. From 100 hours on, in days: `4 days`. */
function duration(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.round(minutes / 60);
  return hours < 100 ? `${hours} h` : `${Math.floor(hours / 24)} days`;
}

export function timeAgo(iso: string, now: Date): string {
  const ago = now.getTime() - Date.parse(iso);
  return ago < 5000 ? 'just now' : `${duration(ago)} ago`;
}

export const timeLeft = (iso: string, now: Date): string => duration(Date.parse(iso) - now.getTime());

const two = (number: number) => String(number).padStart(2, '0');
const dayOf = (at: Date) => `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
const minuteOf = (at: Date) => `${two(at.getHours())}:${two(at.getMinutes())}`;

/** A local time, such as `2026-11-21 05:03`. */
export function dateTime(iso: string): string {
  const at = new Date(iso);
  return `${dayOf(at)} ${minuteOf(at)}`;
}

/** A local time: `05:03:09` if the date is today, otherwise `11-20 05:03`. */
export function localTime(iso: string, now: Date): string {
  const at = new Date(iso);
  return dayOf(at) === dayOf(now)
    ? `${minuteOf(at)}:${two(at.getSeconds())}`
    : `${dayOf(at).slice(5)} ${minuteOf(at)}`;
}
