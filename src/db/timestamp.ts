/** What a driver gives for a `timestamptz`: a Date, or text where its client was told so, as ours is. */
export type Timestamp = Date | string;

/** A `timestamptz` as PostgreSQL writes it for a connection in UTC. */
const inUtc = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(\.\d{1,3})?\d*\+00$/;

/** A timestamp as RFC 3339 in UTC, to milliseconds: the form in which times leave the service. */
export function rfc3339(timestamp: Timestamp): string {
  const parts = typeof timestamp === 'string' ? inUtc.exec(timestamp) : null;
  // A Date in between takes five times as long, and a session has four of them.
  if (parts) return `${parts[1]}T${parts[2]}${(parts[3] ?? '.').padEnd(4, '0')}Z`;
  return new Date(timestamp).toISOString();
}

/** A timestamp in milliseconds since 1970. */
export const milliseconds = (timestamp: Timestamp): number => Date.parse(rfc3339(timestamp));
