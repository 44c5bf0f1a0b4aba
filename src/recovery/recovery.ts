/** New recovery codes. They are shown only once. */
export interface RecoveryCodes {
  codes: string[];
  total: number;
  /** RFC 3339. Null: the codes do not expire. */
  expiresAt: string | null;
}

/** The number of recovery codes of an account. Times are RFC 3339, or null if the account has no codes. */
export interface RecoveryCodesStatus {
  /** All codes, used and unused. */
  total: number;
  /** Codes that can still be used. */
  remaining: number;
  generatedAt: string | null;
  /** Also null if the codes do not expire. */
  expiresAt: string | null;
}

/** A single-use link that starts the recovery of an account. The token and the URL are secret and shown only once. */
export interface RecoveryLink {
  /** 256 random bits in base64url. */
  token: string;
  /** The URL of the recovery page. The token is in the fragment, because browsers do not send fragments to servers. */
  url: string;
  /**
   * When the link becomes usable (RFC 3339). `ASSISTED_RECOVERY_DELAY` sets the time between creation and `usableAt`. A
   * link from a bootstrap is usable immediately.
   */
  usableAt: string;
  /** One hour after `usableAt` (RFC 3339). */
  expiresAt: string;
}

/** The pending recovery link of an account, as its user sees it. Times are RFC 3339. */
export interface PendingRecoveryLink {
  /** The user who created the link. Null: an operator. */
  createdBy: { id: string; username: string } | null;
  createdAt: string;
  usableAt: string;
  expiresAt: string;
  /**
   * When the link was used. Null: the link is unused. A used link stays pending until its recovery session ends. The
   * `expiresAt` of a used link is the latest possible end of this session.
   */
  usedAt: string | null;
}
