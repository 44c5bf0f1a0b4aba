import { createHash } from 'node:crypto';
import type { ClientData } from './client-data.ts';
import type { RefusalReason } from './refusal.ts';

/** The values that the relying party expects in a ceremony. */
interface Expected {
  type: string;
  rpId: string;
  origins: readonly string[];
  /** Whether user presence and user verification are required. */
  requiresUser: boolean;
}

const rpIdHashBytes = 32;
/** Shorter authenticator data is malformed (WebAuthn 6.1). */
const shortestAuthenticatorData = 37;
/** The UP flag: the user was present. */
const presentFlag = 1 << 0;
/** The UV flag: the authenticator verified the user. */
const verifiedFlag = 1 << 2;

/**
 * Finds out why SimpleWebAuthn rejected a ceremony, for the audit log. SimpleWebAuthn throws errors without codes. Call
 * this function only after a rejection, because it checks only the common causes.
 */
export function explainFailure(
  { type, origin }: ClientData,
  authenticatorData: unknown,
  expected: Expected,
): RefusalReason {
  if (type !== expected.type) return 'type_mismatch';
  if (typeof origin !== 'string' || !expected.origins.includes(origin)) return 'origin_mismatch';
  const bytes = bytesOf(authenticatorData);
  if (bytes.length < shortestAuthenticatorData) return 'verification_failed';
  const rpIdHash = createHash('sha256').update(expected.rpId).digest();
  if (!rpIdHash.equals(bytes.subarray(0, rpIdHashBytes))) return 'rp_id_mismatch';
  const flags = bytes[rpIdHashBytes] ?? 0;
  if (expected.requiresUser && !(flags & presentFlag)) return 'user_not_present';
  if (expected.requiresUser && !(flags & verifiedFlag)) return 'user_not_verified';
  return 'verification_failed';
}

const bytesOf = (data: unknown): Buffer => Buffer.from(data instanceof Uint8Array ? data : []);
