/** A passkey as its owner sees it. Times are RFC 3339. */
export interface Passkey {
  id: string;
  label: string;
  /** The product name of the authenticator. Null: the AAGUID is unknown. Only a claim if `attested` is false. */
  provider: string | null;
  /** The identifier of the authenticator's model (WebAuthn 6.5.1). */
  aaguid: string;
  /** Whether an attestation proves the model. If false, the browser only claims `aaguid` and `provider`. */
  attested: boolean;
  transports: string[];
  /** Whether the passkey can be synced to other devices (BE flag). */
  backupEligible: boolean;
  /** Whether the passkey was synced when it was last used (BS flag). */
  backedUp: boolean;
  createdAt: string;
  lastUsedAt: string | null;
  /** The IP address of the last use. */
  lastUsedIp: string | null;
  /** The User-Agent of the last use, without control characters. */
  lastUsedUserAgent: string | null;
  /** Whether the user last authenticated with this passkey in the session of the request. */
  current: boolean;
}

/** A passkey that was just added. */
export interface NewlyAddedPasskey extends Passkey {
  /** Whether the service chose the label, because the request had none. A page can then offer to name the passkey. */
  hasDefaultLabel: boolean;
}
