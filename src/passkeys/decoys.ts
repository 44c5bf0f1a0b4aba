import type { Sealer } from '../core/sealing.ts';
import type { StoredCredential } from './verify-assertion.ts';

/** A credential as login options list it. */
export interface CredentialDescriptor {
  id: string;
  transports: string[];
}

// Id lengths and transports that authenticators have: password managers, platforms, security keys.
const kinds = [
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
 * Credentials for a name that has none, so that login options do not tell who has an account (WebAuthn 14.6.2):
 * the same for the same name for ever, as a real account's would be. One name in four has two.
 */
export function decoyCredentials(sealer: Sealer, username: string): CredentialDescriptor[] {
  const [first = 0] = sealer.stableDigest('decoy', username);
  return Array.from({ length: first % 4 === 0 ? 2 : 1 }, (_, n) => {
    const bytes = [1, 2].map((half) => sealer.stableDigest('decoy', `${username}\n${n}.${half}`));
    const kind = kinds[(bytes[0]?.[0] ?? 0) % kinds.length] ?? kinds[0];
    const id = Buffer.concat(bytes).subarray(1, 1 + kind.length);
    return { id: id.toString('base64url'), transports: [...kind.transports] };
  });
}

/** What an assertion by an unknown credential is verified against, so that it takes as long as by a known one. */
export const decoyStoredCredential: StoredCredential = {
  credentialId: '',
  // The generator of P-256 as an ES256 key: valid, and nobody will sign with its private key, which is 1, in earnest.
  publicKey:
    'pQECAyYgASFYIGsX0fLhLEJH-Lzm5WOkQPJ3A32BLeszoPShOUXYmMKWIlggT-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU',
  counter: 0,
  backupEligible: true,
  userHandle: '',
};
