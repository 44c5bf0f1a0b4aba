/** A passkey as its owner sees it. Times are RFC 3339. */
export interface Passkey {
  id: string;
  label: string;
  /** The authenticator's human name by its AAGUID, where it is known. */
  provider: string | null;
  aaguid: string;
  transports: string[];
  /** Whether it can be synced to other devices (BE). */
  backupEligible: boolean;
  /** Whether it is synced just now (BS). */
  backedUp: boolean;
  createdAt: string;
  lastUsedAt: string | null;
}
