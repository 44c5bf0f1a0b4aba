/**
 * A `timestamptz` value from a driver. Latchkey configures its own client to return text. Other clients return a Date.
 */
export type Timestamp = Date | string;

/** The text form of a `timestamptz` on a connection in UTC. */
const inUtc = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(\.\d{1,3})?\d*\+00$/;

/** Formats a timestamp as RFC 3339 in UTC with milliseconds, as in responses. */
export function rfc3339(timestamp: Timestamp): string {
  const parts = typeof timestamp === 'string' ? inUtc.exec(timestamp) : null;
  // Faster than parsing and formatting a Date. Each session has four timestamps.
  if (parts) return `${parts[1]}T${parts[2]}${(parts[3] ?? '.').padEnd(4, '0')}Z`;
  return new Date(timestamp).toISOString();
}

/** Converts a timestamp to milliseconds since 1970. */
export const milliseconds = (timestamp: Timestamp): number => Date.parse(rfc3339(timestamp));
