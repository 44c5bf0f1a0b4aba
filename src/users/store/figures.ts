import { sql } from '../../db/sql.ts';

/** Selects what the overview needs to know about each account that is not deleted. */
export const selectAccountsToCount = sql`
  select users.id, users.role, users.status = 'active' as is_enabled, users.created_at,
    users.password_hash is not null as has_password
  from latchkey.users where users.deleted_at is null`;
