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

/** A link that opens one recovery of one account. The token and the URL are shown once. */
export interface RecoveryLink {
  /** 256 random bits, base64url. */
  token: string;
  /** The application's recovery page with the token in its fragment, which browsers do not send to servers. */
  url: string;
  /** RFC 3339: when the link starts to work. Now, unless `ASSISTED_RECOVERY_DELAY` sets a waiting time. */
  usableAt: string;
  /** RFC 3339: an hour after `usableAt`. */
  expiresAt: string;
}

/** A live recovery link as the user it is for sees it. Times are RFC 3339. */
export interface PendingRecoveryLink {
  /** The user who made it; null: an operator. */
  createdBy: { id: string; username: string } | null;
  createdAt: string;
  usableAt: string;
  expiresAt: string;
  /** When it was used; null: it was not. A used link is one whose recovery is under way. */
  usedAt: string | null;
}
