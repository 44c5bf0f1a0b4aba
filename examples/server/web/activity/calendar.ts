/** When a day begins in the reader's time zone. @param daysLater counts on from that day */
export function beginningOf(day: string, daysLater: number): string | undefined {
  const [year, month, date] = day.split('-').map(Number);
  if (!year || !month || !date) return undefined;
  const beginning = new Date(year, month - 1, date + daysLater);
  return Number.isNaN(beginning.getTime()) ? undefined : beginning.toISOString();
}
