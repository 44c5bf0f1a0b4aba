import type { Statement } from '../core/database.ts';
import { sql } from './sql.ts';

export const guardStart = 'select * from (';
export const guardEnd = ') as guarded where latchkey.require_primary()';

/** Throws an error if the server is a standby (25006). */
export const requirePrimary = sql`select latchkey.require_primary()`;

const readsOnly = /^\s*(select|with)\b(?!.*\b(insert into|update|delete from) latchkey\.)/s;
/**
 * Matches the tables of the service, except `migrations`, which exists before the function `require_primary`.
 */
const readsTables = /\blatchkey\.(?!migrations\b|require_primary\b)/;
const guarded = new Map<string, string>();

/**
 * Makes a statement that only reads fail on a standby (25006). A standby replays changes late, so a read could return an
 * ended session or an old role. PostgreSQL calls the function once, before it reads a row, because the call depends on
 * no row ("One-Time Filter").
 *
 * A check of each new connection would not be enough. Behind a connection pooler, or with the application's client, a
 * later statement can run on another server.
 */
export function onPrimary(statement: Statement): Statement {
  const { text, values, auditEvents, invalidates } = statement;
  const known = guarded.get(text) ?? guard(text);
  return known === text ? statement : { text: known, values, auditEvents, invalidates };
}

function guard(text: string): string {
  const isGuarded = readsOnly.test(text) && readsTables.test(text);
  const result = isGuarded ? `${guardStart}${text}${guardEnd}` : text;
  // The map stays small, because a text contains no values.
  guarded.set(text, result);
  return result;
}
