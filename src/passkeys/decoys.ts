import type { Sealer } from '../core/sealing.ts';

/** A credential as login options list it. */
export interface ListedCredential {
  id: string;
  transports: string[];
}

// Id lengths that real authenticators make: password managers and platforms 16, 20 and 32 bytes, security keys 48.
const idLengths = [16, 16, 20, 20, 20, 32, 32, 48] as const;

/**
 * Credentials for a name that has none, so that login options do not tell who has an account (WebAuthn 14.6.2):
 * the same for the same name for ever, as a real account's would be.
 */
export function decoyCredentials(sealer: Sealer, username: string): ListedCredential[] {
  const digest = sealer.stableDigest('decoy', username);
  const length = idLengths[(digest[0] ?? 0) % idLengths.length] ?? 16;
  const id = Buffer.concat([digest, sealer.stableDigest('decoy', `${username}\n2`)]).subarray(1, 1 + length);
  return [
    { id: id.toString('base64url'), transports: length === 48 ? ['nfc', 'usb'] : ['hybrid', 'internal'] },
  ];
}
