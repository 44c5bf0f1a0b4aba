import { type Sql, sql } from '../../db/sql.ts';

/**
 * Selects the number of passkeys of each of these users who has a passkey.
 *
 * @param users a statement that selects ids
 * @param after all ids are greater, so PostgreSQL starts to read the index here
 */
export const countPasskeysOf = (users: Sql, after: string): Sql => sql`
  select passkeys.user_id, count(*) as passkeys from latchkey.passkeys
  where passkeys.user_id > ${after}::uuid and passkeys.user_id in (${users})
  group by passkeys.user_id`;
