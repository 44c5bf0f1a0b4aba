import { sql } from '../../db/sql.ts';
import { isNotDeleted } from '../store.ts';

export interface PasswordsByKeyRow {
  key_id: string;
  users: number;
}

/** Counts the passwords by the id of the key that their hash needs (see `readStoredHash`). Other hashes need no key. */
export const countPasswordsByKey = sql`
  select split_part(users.password_hash, '$', 3) as key_id, count(*)::integer as users
  from latchkey.users
  where users.password_hash like '$latchkey1$%' and ${isNotDeleted}
  group by 1`;
