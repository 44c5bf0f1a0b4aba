import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import type { Configuration } from '../core/config.ts';
import type { User } from '../core/user.ts';
import type { CredentialDescriptor } from './decoys.ts';
import { offeredAlgorithms } from './public-key.ts';
import { simpleWebAuthn } from './simplewebauthn.ts';

type RelyingParty = Pick<Configuration, 'rpId' | 'rpName' | 'passkeyTimeoutMs' | 'authenticators'>;

const bytes = (base64url: string) => Uint8Array.from(Buffer.from(base64url, 'base64url'));
// The cast to `never[]` is for stored transports that the library's type does not list.
const toLibraryDescriptors = (credentials: readonly CredentialDescriptor[]) =>
  credentials.map(({ id, transports }) => ({ id, transports: transports as never[] }));

/** The display name for the options. Its value must not be empty, so the default is the username. */
export const displayNameOrUsername = ({
  username,
  displayName,
}: Pick<User, 'username' | 'displayName'>): string => displayName ?? username;

/**
 * Options for `navigator.credentials.create()`: a discoverable passkey (WebAuthn 7.1 step 1).
 *
 * @param userVerification `preferred` for conditional mediation, where browsers reject `required` (WebAuthn 5.1.3)
 */
export const creationOptions = async (
  relyingParty: RelyingParty,
  challenge: string,
  user: { userHandle: string; username: string; displayName: string | null },
  existing: readonly CredentialDescriptor[],
  userVerification: 'required' | 'preferred' = 'required',
): Promise<PublicKeyCredentialCreationOptionsJSON> =>
  (await simpleWebAuthn()).generateRegistrationOptions({
    rpID: relyingParty.rpId,
    rpName: relyingParty.rpName,
    challenge: bytes(challenge),
    timeout: relyingParty.passkeyTimeoutMs,
    userID: bytes(user.userHandle),
    userName: user.username,
    userDisplayName: displayNameOrUsername(user),
    // The cast is for `indirect`, which the library's type does not list.
    attestationType: relyingParty.authenticators.attestation as 'direct',
    authenticatorSelection: { residentKey: 'required', userVerification },
    supportedAlgorithmIDs: offeredAlgorithms,
    excludeCredentials: toLibraryDescriptors(existing),
  });

/**
 * Options for `navigator.credentials.get()` (WebAuthn 7.2 step 1).
 *
 * @param allowed empty: any discoverable passkey for the RP ID
 */
export const requestOptions = async (
  relyingParty: RelyingParty,
  challenge: string,
  allowed: readonly CredentialDescriptor[],
): Promise<PublicKeyCredentialRequestOptionsJSON> =>
  (await simpleWebAuthn()).generateAuthenticationOptions({
    rpID: relyingParty.rpId,
    challenge: bytes(challenge),
    timeout: relyingParty.passkeyTimeoutMs,
    userVerification: 'required',
    allowCredentials: toLibraryDescriptors(allowed),
  });
