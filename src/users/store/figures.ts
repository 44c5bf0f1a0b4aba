import { raw, type Sql, sql } from '../../db/sql.ts';

/**
 * Selects what the overview needs to know about the next accounts that are not deleted, by id.
 *
 * @param after the id of the last account of the previous batch
 */
export const selectAccountsToCount = (after: string, most: number): Sql => sql`
  select users.id, users.role, users.status = 'active' as is_enabled, users.created_at,
    users.password_hash is not null as has_password
  from latchkey.users where users.deleted_at is null and users.id > ${after}::uuid
  order by users.id
  limit ${raw(`${most}`)}`;

/**
 * Selects the next active accounts, by id.
 *
 * @param after the id of the last account of the previous batch
 */
export const selectActiveAfter = (after: string, most: number): Sql => sql`
  select users.id, users.username, users.role, users.password_hash is not null as has_password
  from latchkey.users
  where users.deleted_at is null and users.status = 'active' and users.id > ${after}::uuid
  order by users.id
  limit ${raw(`${most}`)}`;
