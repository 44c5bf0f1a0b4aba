/**
 * The time at which a day begins in the user's time zone. Undefined if `day` is not a date.
 *
 * @param daysLater the number of days to add to `day`
 */
export function beginningOf(day: string, daysLater: number): string | undefined {
  const [year, month, date] = day.split('-').map(Number);
  if (!year || !month || !date) return undefined;
  const beginning = new Date(year, month - 1, date + daysLater);
  return Number.isNaN(beginning.getTime()) ? undefined : beginning.toISOString();
}
