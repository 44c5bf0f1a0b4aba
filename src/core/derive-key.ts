import { hkdfSync } from 'node:crypto';

/** What a key derived from JWT_SECRET may be used for. A key for one purpose does nothing for another. */
export type KeyPurpose = 'ceremony' | 'decoy' | 'recovery_code' | 'service_token';

/** Derives 32 bytes from a secret with HKDF-SHA-256 (RFC 5869). They depend on the purpose and reveal no other key. */
export const deriveKey = (secret: string, purpose: KeyPurpose): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, 'latchkey', `latchkey/${purpose}/v1`, 32));
