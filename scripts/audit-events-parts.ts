import { eventConventions, sharedSignalsOf } from '../src/audit/conventions/event-conventions.ts';
import type { AuditEventName } from '../src/audit/event-names.ts';
import { auditEventNames } from '../src/audit/event-names.ts';
import { code, table } from './markdown.ts';

/** The generated parts of docs/reference/audit-events.md, by name. */
export const auditEventsParts = (): Record<string, string> => ({
  events: table(['Event', 'When', 'Target', '`details` of a success'], auditEventNames.map(eventRow)),
  signals: table(
    ['Audit event', 'Event type', 'Claims'],
    auditEventNames.flatMap((event) =>
      sharedSignalsOf({ event, outcome: 'success' }).map(({ type, claims }) => [
        code(event),
        nameOf(type),
        Object.entries(claims)
          .map(([name, value]) => code(`${name}: ${value}`))
          .join(', '),
      ]),
    ),
  ),
});

function eventRow(name: AuditEventName): string[] {
  const { when, target, details = {}, onlyRefusals } = eventConventions[name];
  const fields = Object.entries(details).map(
    ([field, { type, about, optional, nullable }]) =>
      `${code(field)} (${type === 'time' ? 'RFC 3339 time' : type}${nullable ? ' or null' : ''}${optional ? ', optional' : ''}): ${about}`,
  );
  return [code(name), when, onlyRefusals ? 'only refusals' : (target ?? ''), fields.join('<br>')];
}

/** `CAEP session-revoked`, for the URI of this type. */
function nameOf(type: string): string {
  const [, profile = '', name = ''] = /\/secevent\/(\w+)\/event-type\/([\w-]+)$/.exec(type) ?? [];
  return `${profile.toUpperCase()} ${code(name)}`;
}
