/** `71 h`, `12 min` or `40 s`, rounded. */
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

/** The time until `iso`. */
export const timeLeft = (iso: string, now: Date): string => duration(Date.parse(iso) - now.getTime());

const two = (number: number) => String(number).padStart(2, '0');
const dayOf = (at: Date) => `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
const minuteOf = (at: Date) => `${two(at.getHours())}:${two(at.getMinutes())}`;

/** `2026-11-21 05:03` in local time. */
export function dateTime(iso: string): string {
  const at = new Date(iso);
  return `${dayOf(at)} ${minuteOf(at)}`;
}

/** The local time, with the date unless it is today. */
export function shortTime(iso: string, now: Date): string {
  const at = new Date(iso);
  return dayOf(at) === dayOf(now)
    ? `${minuteOf(at)}:${two(at.getSeconds())}`
    : `${dayOf(at).slice(5)} ${minuteOf(at)}`;
}
