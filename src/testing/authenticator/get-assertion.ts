import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import { encodeAuthenticatorData } from './authenticator-data.ts';
import type { AuthenticatorSettings } from './authenticator-settings.ts';
import { concatBytes, toBase64url } from './bytes.ts';
import { encodeClientData, hashClientData } from './client-data.ts';
import type { SoftwareCredential } from './resident-credentials.ts';
import { signWith } from './signing-key.ts';
import { type GetTampering, overridden, transformed } from './tampering.ts';

/** Builds the response of an authentication, with the changes of `tamper` (WebAuthn Level 3, 5.1.4 and 6.3.3). */
export function authenticationResponse(
  settings: AuthenticatorSettings,
  credential: SoftwareCredential,
  rpId: string,
  options: PublicKeyCredentialRequestOptionsJSON,
  tamper: GetTampering,
): AuthenticationResponseJSON {
  const clientDataJSON = encodeClientData(
    { type: 'webauthn.get', challenge: options.challenge, origin: settings.origin },
    tamper.clientData,
  );
  const authenticatorData = encodeAuthenticatorData(
    { ...credential, rpId, signCount: credential.counter },
    tamper.attestedCredentialData
      ? { ...credential, id: Buffer.from(credential.id, 'base64url') }
      : undefined,
    tamper,
  );
  const signedData = concatBytes(authenticatorData, hashClientData(clientDataJSON));
  const signature = signWith(credential.privateKey, credential.algorithm, signedData);

  const { id = credential.id, afterSigning } = tamper;
  const response = {
    id,
    rawId: tamper.rawId ?? id,
    type: tamper.type ?? 'public-key',
    authenticatorAttachment: overridden(tamper, 'authenticatorAttachment', settings.attachment),
    clientExtensionResults: tamper.clientExtensionResults ?? {},
    response: {
      clientDataJSON: toBase64url(transformed(clientDataJSON, afterSigning?.clientDataJSON)),
      authenticatorData: toBase64url(transformed(authenticatorData, afterSigning?.authenticatorData)),
      signature: toBase64url(transformed(signature, afterSigning?.signature)),
      userHandle: overridden(tamper, 'userHandle', credential.userHandle),
    },
  };
  // The cast is needed, because a response with a test's changes does not always match the type.
  return response as AuthenticationResponseJSON;
}
