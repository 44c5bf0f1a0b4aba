import type { Role, UserStatus } from '../core/user.ts';
import type { StoredFields } from '../core/user-fields.ts';

/** A row of `users` for an account from another system. The names are those of the columns. */
export interface ImportedAccount {
  id: string;
  username: string;
  /** Null: another account in the same statement has it. */
  skeleton: string | null;
  display_name: string | null;
  user_handle: string;
  role: Role;
  status: UserStatus;
  password_hash: string | null;
  fields: StoredFields;
  /** RFC 3339. Null: now. */
  created_at: string | null;
}
