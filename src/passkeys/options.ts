import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import type { Configuration } from '../core/config.ts';
import type { User } from '../core/user.ts';
import type { CredentialDescriptor } from './decoys.ts';
import { offeredAlgorithms } from './public-key.ts';
import { simpleWebAuthn } from './simplewebauthn.ts';

type Settings = Pick<Configuration, 'rpId' | 'rpName' | 'passkeyTimeoutMs'>;

const bytes = (base64url: string) => Uint8Array.from(Buffer.from(base64url, 'base64url'));
// The authenticators' own type is an open list; ours is what they once told us.
const listed = (credentials: readonly CredentialDescriptor[]) =>
  credentials.map(({ id, transports }) => ({ id, transports: transports as never[] }));

/** What a browser shows of an account beside its username; never nothing. */
export const displayNameOrUsername = ({ username, displayName }: Pick<User, 'username' | 'displayName'>): string =>
  displayName ?? username;

/**
 * Options for `navigator.credentials.create()`: a discoverable passkey, no attestation.
 *
 * @param userVerification a browser refuses to require it where it is not to show a prompt (WebAuthn 5.1.3)
 */
export const creationOptions = async (
  settings: Settings,
  challenge: string,
  user: { userHandle: string; username: string; displayName: string | null },
  existing: readonly CredentialDescriptor[],
  userVerification: 'required' | 'preferred' = 'required',
): Promise<PublicKeyCredentialCreationOptionsJSON> =>
  (await simpleWebAuthn()).generateRegistrationOptions({
    rpID: settings.rpId,
    rpName: settings.rpName,
    challenge: bytes(challenge),
    timeout: settings.passkeyTimeoutMs,
    userID: bytes(user.userHandle),
    userName: user.username,
    userDisplayName: displayNameOrUsername(user),
    attestationType: 'none',
    authenticatorSelection: { residentKey: 'required', userVerification },
    supportedAlgorithmIDs: offeredAlgorithms,
    excludeCredentials: listed(existing),
  });

/** Options for `navigator.credentials.get()`; an empty list lets any of the person's passkeys answer. */
export const requestOptions = async (
  settings: Settings,
  challenge: string,
  allowed: readonly CredentialDescriptor[],
): Promise<PublicKeyCredentialRequestOptionsJSON> =>
  (await simpleWebAuthn()).generateAuthenticationOptions({
    rpID: settings.rpId,
    challenge: bytes(challenge),
    timeout: settings.passkeyTimeoutMs,
    userVerification: 'required',
    allowCredentials: listed(allowed),
  });
