/** The stored values that need one secret of `JWT_SECRET`. Without the secret, they stop working. */
export interface SecretUse {
  /** The number of users whose password needs the secret. After a sign-in with it, the password needs the first secret. */
  passwords: number;
  /** The number of usable recovery codes that need the secret. New codes of the user replace them. */
  recoveryCodes: number;
  /** When the last of these codes expires. Null: there is none, or at least one code does not expire. */
  recoveryCodesExpireAt: string | null;
  /** The names of the webhooks whose secrets it encrypts. `rotateSecret` creates a secret that the first one encrypts. */
  webhooks: string[];
}

/** The stored values that need each secret of `JWT_SECRET`. */
export interface SecretUses {
  /** One element for each secret, in the order of `JWT_SECRET`. The first secret signs and encrypts. */
  secrets: SecretUse[];
  /** The values that need a secret that `JWT_SECRET` no longer contains. They do not work. */
  removed: SecretUse;
  /**
   * Whether the first secret has signed the newest checkpoint of the audit log, or the log does not need it. If not, the
   * service would refuse to continue the log without the other secrets.
   */
  auditLogSigned: boolean;
}
