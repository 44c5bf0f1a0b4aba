/** The first moment of a day, or of one some days later, where the reader is. */
export function beginningOf(day: string, later: number): string | undefined {
  const [year, month, date] = day.split('-').map(Number);
  if (!year || !month || !date) return undefined;
  const beginning = new Date(year, month - 1, date + later);
  return Number.isNaN(beginning.getTime()) ? undefined : beginning.toISOString();
}
