import { hkdfSync } from 'node:crypto';

/** The uses of JWT_SECRET. Each use has its own derived key. */
export type KeyPurpose =
  | 'audit_log'
  | 'audit_witness'
  | 'ceremony'
  | 'device'
  | 'password'
  | 'recovery_code'
  | 'service_token'
  | 'webhook';

/**
 * Derives a 32-byte key for one purpose with HKDF-SHA-256 (RFC 5869). A derived key reveals neither the secret nor the
 * other derived keys.
 */
export const deriveKey = (secret: string, purpose: KeyPurpose): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, 'latchkey', `latchkey/${purpose}/v1`, 32));
