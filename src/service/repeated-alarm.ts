import type { Logger } from '../core/logger.ts';

/** How many checks pass between two log entries about the same alarm. */
const checksBetweenEntries = 15;

/** What an alarm writes to the log. */
export interface AlarmMessages {
  late: string;
  recovered: string;
}

/**
 * Returns a function that takes the result of each check. It logs an error at the first check that is late, and again at
 * every fifteenth. It logs the recovery once.
 */
export function createRepeatedAlarm(
  log: Logger,
  { late, recovered }: AlarmMessages,
): (isLate: boolean, fields: object) => void {
  let count = 0;
  return (isLate, fields) => {
    if (isLate && count % checksBetweenEntries === 0) log.error(fields, late);
    if (!isLate && count > 0) log.info(fields, recovered);
    count = isLate ? count + 1 : 0;
  };
}
