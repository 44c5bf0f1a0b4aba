import { type AuditEventName, eventsNamed } from '../event-names.ts';
import { type LogCursor, readCursor } from '../log/cursor.ts';

/** Checks where to start. @throws TypeError */
export function startOf(after: unknown): LogCursor | 'end' | null {
  if (after === null || after === 'end') return after;
  try {
    return readCursor(after);
  } catch {
    throw new TypeError(`after: expected a cursor of the audit log, "end" or null, not ${after}`);
  }
}

/** Checks a list of event names and prefixes. @throws TypeError */
export function eventNamesIn(events: readonly string[] | undefined): AuditEventName[] | undefined {
  if (events === undefined) return undefined;
  if (!Array.isArray(events) || events.length === 0)
    throw new TypeError(`events: expected a list of at least one event name, not ${events}`);
  return [...new Set(events.flatMap(namesOf))].sort();
}

function namesOf(name: unknown): AuditEventName[] {
  const names = typeof name === 'string' ? eventsNamed(name) : [];
  if (names.length > 0) return names;
  throw new TypeError(`events: expected names of events, and prefixes such as "passkey.", not ${name}`);
}
