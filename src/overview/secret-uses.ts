/** What is stored under one secret of `JWT_SECRET`. Without the secret, these values stop working. */
export interface SecretUse {
  /** The number of users whose password needs the secret. A sign-in with the password stores it under the first secret. */
  passwords: number;
  /** The number of recovery codes that can still be used. New codes of the user replace them. */
  recoveryCodes: number;
  /** When the last of these codes expires. Null: there is none, or at least one code does not expire. */
  recoveryCodesExpireAt: string | null;
  /** The names of the webhooks whose secrets are encrypted under it. `rotateSecret` encrypts a new secret. */
  webhooks: string[];
}

/** What is stored under each secret of `JWT_SECRET`. */
export interface SecretUses {
  /** One element for each secret, in the order of `JWT_SECRET`. The first secret signs and encrypts. */
  secrets: SecretUse[];
  /** What needs a secret that `JWT_SECRET` no longer contains. These values do not work. */
  removed: SecretUse;
  /**
   * Whether the first secret has signed the newest checkpoint of the audit log, or the log does not need it. If not, the
   * service would refuse to continue the log without the other secrets.
   */
  auditLogSigned: boolean;
}
