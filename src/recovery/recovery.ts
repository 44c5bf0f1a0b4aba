/** New recovery codes. They are shown once. */
export interface RecoveryCodes {
  codes: string[];
  total: number;
  /** RFC 3339. Null: the codes do not expire. */
  expiresAt: string | null;
}

/** How many recovery codes an account has. Times are RFC 3339; null if there are no codes. */
export interface RecoveryCodesStatus {
  /** Codes generated. */
  total: number;
  /** Codes that can still be used. */
  remaining: number;
  generatedAt: string | null;
  /** Null also if the codes do not expire. */
  expiresAt: string | null;
}

/** A single-use link that starts the recovery of an account. The token and the URL are shown once. */
export interface RecoveryLink {
  /** 256 random bits, base64url. */
  token: string;
  /** The application's recovery page with the token in its fragment, which browsers do not send to servers. */
  url: string;
  /** RFC 3339: when the link becomes usable. Immediately, unless `ASSISTED_RECOVERY_DELAY` sets a waiting time. */
  usableAt: string;
  /** RFC 3339: an hour after `usableAt`. */
  expiresAt: string;
}

/** A pending recovery link as the user whose account it recovers sees it. Times are RFC 3339. */
export interface PendingRecoveryLink {
  /** The user who created the link. Null: an operator. */
  createdBy: { id: string; username: string } | null;
  createdAt: string;
  usableAt: string;
  expiresAt: string;
  /** When the link was used. Null: not yet. A used link stays pending until its recovery completes or ends. */
  usedAt: string | null;
}
