import type { UserWithFields } from '../core/session.ts';
import type { Role } from '../core/user.ts';
import type { FieldChanges, NoFields, UserFields } from '../core/user-fields.ts';
import type { RecoveryLink } from '../recovery/recovery.ts';
import type { ImportedPasskey, ImportedPassword } from './imported-user.ts';

/** A user that an operator creates. */
export interface NewUserRequest<Fields extends UserFields = NoFields> {
  /** The rules for sign-up apply. */
  username: string;
  displayName?: string | null | undefined;
  /** Default: `user`. To make a superadmin, change the role afterwards. */
  role?: Exclude<Role, 'superadmin'> | undefined;
  /** Operators can write every field. */
  fields?: FieldChanges<Fields> | undefined;
  /** The password as text, or the hash of another system (see `ImportedPassword`). Default: no password. */
  password?: string | ImportedPassword | undefined;
  /** Passkeys from another system. Default: none. */
  passkeys?: readonly ImportedPasskey[] | undefined;
  /** As in `ImportedUser`. */
  userHandle?: string | undefined;
  /** As in `ImportedUser`. */
  createdAt?: string | undefined;
  /** Whether to create a recovery link, with which the user adds a passkey. Default: `false`. */
  recoveryLink?: boolean | undefined;
}

/** A new user, and a recovery link if the request contains `recoveryLink: true`. */
export interface CreatedUser<Fields extends UserFields = NoFields> {
  user: UserWithFields<Fields>;
  /** Works immediately, for one hour. Null: `recoveryLink` was not `true`. */
  link: RecoveryLink | null;
}
