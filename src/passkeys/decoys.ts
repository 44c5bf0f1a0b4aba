import type { Sealer } from '../core/sealing.ts';
import type { StoredCredential } from './verify-assertion.ts';

/** A credential in `allowCredentials` or `excludeCredentials`. */
export interface CredentialDescriptor {
  id: string;
  transports: string[];
}

// Lengths of credential ids and transports of real password managers, platform authenticators and security keys.
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
 * Decoy credentials for a username without passkeys, so that sign-in options do not reveal which accounts exist (WebAuthn
 * 14.6.2). A username always gets the same decoys, like a real account. One username in four gets two.
 */
export function decoyCredentials(sealer: Sealer, username: string): CredentialDescriptor[] {
  const [first = 0] = sealer.stableDigest('decoy', username);
  return Array.from({ length: first % 4 === 0 ? 2 : 1 }, (_, n) => {
    const bytes = [1, 2].map((half) => sealer.stableDigest('decoy', `${username}\n${n}.${half}`));
    const kind = decoyKinds[(bytes[0]?.[0] ?? 0) % decoyKinds.length] ?? decoyKinds[0];
    const id = Buffer.concat(bytes).subarray(1, 1 + kind.length);
    return { id: id.toString('base64url'), transports: [...kind.transports] };
  });
}

/** Assertions of unknown credentials are verified against this one, so that they take as long as those of known ones. */
export const decoyStoredCredential: StoredCredential = {
  credentialId: '',
  // The generator point of P-256 as an ES256 key. Its private key is public (1), so the result is always discarded.
  publicKey:
    'pQECAyYgASFYIGsX0fLhLEJH-Lzm5WOkQPJ3A32BLeszoPShOUXYmMKWIlggT-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU',
  counter: 0,
  backupEligible: true,
  userHandle: '',
};
