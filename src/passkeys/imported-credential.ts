/** A row of `passkeys` for a passkey from another system. The names are those of the columns. */
export interface ImportedCredential {
  id: string;
  user_id: string;
  credential_id: string;
  public_key: string;
  counter: number;
  transports: readonly string[];
  aaguid: string;
  /** Null: unknown until the first sign-in. */
  backup_eligible: boolean | null;
  backed_up: boolean;
  label: string;
  /** Null: the user handle of the account, or unknown. */
  user_handle: string | null;
  /** Whether the user handle is unknown until the first sign-in. */
  learns_user_handle: boolean;
  /** RFC 3339. Null: now. */
  created_at: string | null;
  /** RFC 3339. Null: never. */
  last_used_at: string | null;
}
