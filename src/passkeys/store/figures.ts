import { type Sql, sql } from '../../db/sql.ts';

/**
 * Counts the passkeys of each of these users. Returns no row for a user without passkeys.
 *
 * @param users a statement that selects ids
 * @param after all ids are greater than this one, so PostgreSQL starts to read the index here
 */
export const countPasskeysOf = (users: Sql, after: string): Sql => sql`
  select passkeys.user_id, count(*) as passkeys from latchkey.passkeys
  where passkeys.user_id > ${after}::uuid and passkeys.user_id in (${users})
  group by passkeys.user_id`;
