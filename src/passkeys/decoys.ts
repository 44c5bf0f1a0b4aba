import { createHmac } from 'node:crypto';
import type { StoredCredential } from './verify-assertion.ts';

/** A credential in `allowCredentials` or `excludeCredentials`. */
export interface CredentialDescriptor {
  id: string;
  transports: string[];
}

// The credential id lengths and the transports of real authenticators.
const decoyKinds = [
  { length: 16, transports: ['hybrid', 'internal'] },
  { length: 16, transports: ['internal'] },
  { length: 20, transports: ['hybrid', 'internal'] },
  { length: 20, transports: ['hybrid', 'internal'] },
  { length: 32, transports: ['hybrid', 'internal'] },
  { length: 32, transports: ['internal'] },
  { length: 48, transports: ['nfc', 'usb'] },
  { length: 48, transports: ['usb'] },
] as const;

/**
 * Returns decoys (invented credentials) for a username without passkeys. They hide from the caller whether the account
 * exists (WebAuthn 14.6.2). A username gets the same decoys in every request. Otherwise two requests would show that
 * the credentials are invented. One username in four gets two decoys.
 *
 * @param secret the secret `decoys` of the database. JWT_SECRET is not suitable: its rotation would change the decoys,
 *   but not the passkeys, so two requests would show which usernames exist.
 */
export function decoyCredentials(secret: string, username: string): CredentialDescriptor[] {
  const [first = 0] = decoyDigest(secret, username);
  return Array.from({ length: first % 4 === 0 ? 2 : 1 }, (_, n) => {
    const bytes = [1, 2].map((half) => decoyDigest(secret, `${username}\n${n}.${half}`));
    const kind = decoyKinds[(bytes[0]?.[0] ?? 0) % decoyKinds.length] ?? decoyKinds[0];
    const id = Buffer.concat(bytes).subarray(1, 1 + kind.length);
    return { id: id.toString('base64url'), transports: [...kind.transports] };
  });
}

/** HMAC-SHA-256 of a text under the secret of the decoys. */
export const decoyDigest = (secret: string, text: string): Buffer =>
  createHmac('sha256', secret).update(text).digest();

/**
 * The service verifies an assertion of an unknown credential against this key. So the response takes as long as for a
 * known credential.
 */
export const decoyStoredCredential: StoredCredential = {
  credentialId: '',
  // The base point of P-256, as an ES256 key. Anyone can sign for this key, because its private key is the number 1.
  // So the result of the verification must be ignored.
  publicKey:
    'pQECAyYgASFYIGsX0fLhLEJH-Lzm5WOkQPJ3A32BLeszoPShOUXYmMKWIlggT-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU',
  counter: 0,
  backupEligible: true,
  userHandle: '',
};
