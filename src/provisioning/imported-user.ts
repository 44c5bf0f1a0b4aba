import type { Role, UserStatus } from '../core/user.ts';

/**
 * A user of another system, for `users.import`. One line of an NDJSON file contains one user. Unknown properties are
 * refused. Null means the same as an absent property, except for a value of `fields`.
 *
 * @example
 * { "sourceId": "42", "username": "ada", "password": { "hash": "$2b$12$…" } }
 */
export interface ImportedUser {
  /** The rules for sign-up apply: the option `usernames`, reserved names, taken names and `lookAlikes`. */
  username: string;
  /** 1 to 64 characters without control characters. Default: null. */
  displayName?: string | null | undefined;
  /** Default: `user`. To make a superadmin, change the role after the import. */
  role?: Exclude<Role, 'superadmin'> | null | undefined;
  /** A disabled user cannot sign in. Default: `active`. */
  status?: UserStatus | null | undefined;
  /** When the user signed up in the other system: RFC 3339, not in the future. Default: the time of the import. */
  createdAt?: string | null | undefined;
  /**
   * The id of the user in the other system, unique for each `source` of an import: 1 to 255 characters. The service
   * stores it, so that a repeated import skips the user. Default: the username, after `username:`.
   */
  sourceId?: string | null | undefined;
  /** Values of own fields (`userFields`). The schemas check them. */
  fields?: Readonly<Record<string, unknown>> | null | undefined;
  /**
   * The `user.id` that the user's passkeys know: 1 to 64 bytes as base64url. New passkeys of the user get the same.
   * Default: new random bytes.
   */
  userHandle?: string | null | undefined;
  password?: ImportedPassword | null | undefined;
  /** At most 50. */
  passkeys?: readonly ImportedPasskey[] | null | undefined;
}

/** The password of an imported user. */
export interface ImportedPassword {
  /**
   * A bcrypt hash (`$2a$`, `$2b$` or `$2y$`) with a cost of at most 16. Any other text of at most 1024 printable ASCII
   * characters needs the option `password.verify`.
   */
  hash: string;
}

/** A passkey of an imported user. Binary values are base64url without padding. */
export interface ImportedPasskey {
  /** The id of the credential: 1 to 1023 bytes. */
  credentialId: string;
  /** The public key in COSE format, with the algorithm ES256, EdDSA (Ed25519) or RS256. */
  publicKey: string;
  /** The signature counter. Default: 0. */
  counter?: number | null | undefined;
  /** Such as `internal` or `hybrid`. Default: none. */
  transports?: readonly string[] | null | undefined;
  /** The identifier of the authenticator's model. Default: unknown. */
  aaguid?: string | null | undefined;
  /**
   * Whether the passkey can be synced (BE flag; `multiDevice` in SimpleWebAuthn). Default: unknown; the service learns
   * it when the user first signs in with the passkey.
   */
  backupEligible?: boolean | null | undefined;
  /** Whether the passkey is synced (BS flag). Default: false. */
  backedUp?: boolean | null | undefined;
  /** 1 to 64 characters. Default: the name of the passkey provider, or `Passkey`. */
  label?: string | null | undefined;
  /**
   * The `user.id` that this passkey was registered with, if it differs from the user's `userHandle`: 1 to 64 bytes.
   * Without both, it is unknown. The service then learns it when the user first signs in with the passkey.
   */
  userHandle?: string | null | undefined;
  /** RFC 3339. Default: `createdAt` of the user, or else the time of the import. */
  createdAt?: string | null | undefined;
  /** RFC 3339. Default: never used. */
  lastUsedAt?: string | null | undefined;
}

/** Why an import refuses a user. */
export type ImportRefusalReason = (typeof importRefusalReasons)[number];

/**
 * - `invalid_record`: not JSON, an unknown property, or a value of the wrong form
 * - `username_unacceptable`: the rules for usernames do not allow the username, or it looks like another one
 * - `username_taken`: another user has or had the username
 * - `role_not_allowed`: an import creates only users with the role `user` or `admin`
 * - `field_invalid`: the definition of an own field does not allow the value
 * - `hash_unsupported`: no configured function verifies the password's hash
 * - `passkey_unsupported`: the public key of a passkey cannot be used
 * - `passkey_taken`: another user has this passkey
 * - `user_handle_taken`: another user has this user handle
 * - `source_id_repeated`: an earlier record of the same import has this `sourceId`
 */
export const importRefusalReasons = [
  'invalid_record',
  'username_unacceptable',
  'username_taken',
  'role_not_allowed',
  'field_invalid',
  'hash_unsupported',
  'passkey_unsupported',
  'passkey_taken',
  'user_handle_taken',
  'source_id_repeated',
] as const;

/** A record that an import refuses. The other records are imported. */
export interface RefusedUser {
  /** The number of the record, starting at 1. In a file, the number of the line. */
  line: number;
  reason: ImportRefusalReason;
  /** What was wrong, and what was expected. */
  message: string;
  /** The record as the source gave it. Can contain the hash of the password. */
  record: unknown;
}

/** How far an import is. The database contains everything that is counted here, except in a dry run. */
export interface ImportProgress {
  /** Records that were read, without blank lines. */
  read: number;
  imported: number;
  /** Records that an earlier import with the same `source` has imported. Nothing changes. */
  alreadyImported: number;
  refused: number;
}

/** Options of `users.import`. */
export interface ImportOptions {
  /**
   * The name of the other system: 1 to 64 characters. `sourceId` is unique within one source. Default: `import`.
   */
  source?: string | undefined;
  /** Checks all records and writes nothing. `imported` then counts the users that an import would create. */
  dryRun?: boolean | undefined;
  /** Called with each refused record, in the order of the source. The import waits for a promise. */
  onRefused?: ((refused: RefusedUser) => unknown) | undefined;
  /** Called after each batch of records. */
  onProgress?: ((progress: ImportProgress) => unknown) | undefined;
}

/** The result of an import. */
export interface ImportReport extends ImportProgress {
  dryRun: boolean;
  /** How many records were refused, for each reason that occurred. */
  reasons: Partial<Record<ImportRefusalReason, number>>;
}
