/** A passkey as its owner sees it. Times are RFC 3339. */
export interface Passkey {
  id: string;
  label: string;
  /** The authenticator's product name, looked up by its AAGUID. Null if it is unknown. */
  provider: string | null;
  aaguid: string;
  transports: string[];
  /** Whether it can be synced to other devices (BE flag). */
  backupEligible: boolean;
  /** Whether it was synced when it was last used (BS flag). */
  backedUp: boolean;
  createdAt: string;
  lastUsedAt: string | null;
}
