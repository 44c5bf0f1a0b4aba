/** Recovery codes as they are shown, this once. */
export interface RecoveryCodes {
  codes: string[];
  total: number;
  /** RFC 3339, or null: they do not expire. */
  expiresAt: string | null;
}

/** How many recovery codes an account has. Times are RFC 3339, null where there are no codes. */
export interface RecoveryCodesStatus {
  /** How many were made. */
  total: number;
  /** How many of them can still be used. */
  remaining: number;
  generatedAt: string | null;
  expiresAt: string | null;
}

/** A link that lets one person back into their account, once. Shown this once. */
export interface RecoveryLink {
  /** 256 random bits, base64url. */
  token: string;
  /** The application's recovery page with the token in its fragment, which browsers send to nobody. */
  url: string;
  /** RFC 3339: an hour from when it was made. */
  expiresAt: string;
}
