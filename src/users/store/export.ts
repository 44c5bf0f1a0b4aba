import type { Role, UserStatus } from '../../core/user.ts';
import { type Sql, sql } from '../../db/sql.ts';
import type { Timestamp } from '../../db/timestamp.ts';
import { type FieldsRow, userColumns } from '../store.ts';

export interface ExportedRow extends FieldsRow {
  user_id: string;
  username: string | null;
  display_name: string | null;
  role: Role;
  status: UserStatus;
  user_created_at: Timestamp;
  username_since: Timestamp | null;
  deleted_at: Timestamp | null;
  user_handle: string;
  has_password: boolean;
}

/** Selects everything in the row of a user, except the password hash and internal counters. Includes deleted users. */
export const selectToExport = (userId: string): Sql => sql`
  select ${userColumns}, users.fields, users.username_since, users.deleted_at, users.user_handle,
    users.password_hash is not null as has_password
  from latchkey.users where users.id = ${userId}::uuid and users.erased_at is null`;

export interface HeldUsernameRow {
  username: string;
  held_at: Timestamp;
}

export const selectHeldToExport = (userId: string): Sql => sql`
  select held_usernames.username, held_usernames.held_at from latchkey.held_usernames
  where held_usernames.user_id = ${userId}::uuid
  order by held_usernames.held_at, held_usernames.username`;
