import type { Statement } from 'latchkey';

const changes = /\b(insert into|update|delete from) latchkey\.(\w+)/g;
const locks = /\bfor (no key )?update\b/;

/** Other functions of the schema may change rows. */
const callsFunction = /\blatchkey\.(?!(clock|name_grams|require_primary|username_digest)\()\w+\(/;

/** Whether a statement changes no row and locks no row. Two reads can swap their places without any effect. */
export const isRead = ({ text, auditEvents }: Pick<Statement, 'text' | 'auditEvents'>): boolean =>
  auditEvents.length === 0 &&
  !/\b(insert into|update|delete from)\b/.test(text) &&
  !locks.test(text) &&
  !callsFunction.test(text);

/**
 * A short name of a statement, for people who read a schedule. It contains no values, so it is the same in each run.
 *
 * @example 'update users, delete sessions: user.disable'
 */
export function labelOf({ text, auditEvents }: Pick<Statement, 'text' | 'auditEvents'>): string {
  const changed = [...text.matchAll(changes)]
    .filter(([, , table]) => table !== 'audit_events')
    .map(([, action = '', table = '']) => `${action.split(' ')[0]} ${table}`);
  const read = [...text.matchAll(/\b(?:from|join) latchkey\.(\w+)/g)].map(([, table]) => table);
  const what =
    changed.length > 0 ? [...new Set(changed)].join(', ') : `select ${[...new Set(read)].join(', ')}`;
  const events = [...new Set(auditEvents.map(({ event }) => event))];
  return events.length > 0 ? `${what}: ${events.join(', ')}` : what.trim();
}
