import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import {
  type AuthenticatorSettings,
  authenticatorSettings,
  type SoftwareAuthenticatorOptions,
} from './authenticator-settings.ts';
import { newCredential, registrationResponse } from './create-credential.ts';
import { authenticationResponse } from './get-assertion.ts';
import {
  chooseCredential,
  type ResidentCredentials,
  refuseExcluded,
  type SoftwareCredential,
} from './resident-credentials.ts';
import type { CreateTampering, GetTampering } from './tampering.ts';

/** A browser and an authenticator in one. It takes the options of a ceremony and returns a response with a signature. */
export interface SoftwareAuthenticator {
  /** Its credentials, oldest first. A snapshot: counters do not change. */
  readonly credentials: readonly SoftwareCredential[];

  /**
   * Creates a discoverable credential, like `navigator.credentials.create()` (WebAuthn Level 3, 5.1.3). Keeps it even if
   * the server rejects it; `forget` deletes it.
   *
   * @throws DOMException `InvalidStateError` if it has one of `excludeCredentials` | `NotSupportedError` if its
   *   algorithm is not among `pubKeyCredParams`
   */
  create(
    options: PublicKeyCredentialCreationOptionsJSON,
    tamper?: CreateTampering,
  ): Promise<RegistrationResponseJSON>;

  /**
   * Signs with the newest allowed credential for the RP ID, like `navigator.credentials.get()` (WebAuthn Level 3, 5.1.4).
   * The response always includes the user handle.
   *
   * @throws DOMException `NotAllowedError` if it has no allowed credential
   */
  get(
    options: PublicKeyCredentialRequestOptionsJSON,
    tamper?: GetTampering,
  ): Promise<AuthenticationResponseJSON>;

  /** Creates an authenticator with the same private keys and counters. Their counters then increase independently. */
  clone(): SoftwareAuthenticator;

  /** Deletes the credential with this id (base64url). Ignores an unknown id. */
  forget(id: string): void;
}

/**
 * Creates a WebAuthn Level 3 authenticator for tests. It follows the specification unless a call tampers with the
 * response. Unlike a browser, it does not check that the RP ID matches the origin, so that a test can see the server
 * reject it.
 *
 * @example
 * const authenticator = createSoftwareAuthenticator({ origin: 'https://app.example' });
 * const credential = await authenticator.create(creationOptions);
 * const assertion = await authenticator.get(requestOptions);
 * const phish = await authenticator.get(requestOptions, { clientData: { origin: 'https://evil.example' } });
 * const forgery = await authenticator.get(requestOptions, { afterSigning: { signature: flipLastBit } });
 */
export function createSoftwareAuthenticator(options: SoftwareAuthenticatorOptions): SoftwareAuthenticator {
  return authenticatorHolding(new Map(), authenticatorSettings(options));
}

function authenticatorHolding(
  residents: ResidentCredentials,
  settings: AuthenticatorSettings,
): SoftwareAuthenticator {
  return {
    get credentials() {
      return [...residents.values()];
    },

    async create(options, tamper = {}) {
      const rpId = options.rp.id ?? new URL(settings.origin).hostname;
      refuseExcluded(residents, rpId, options.excludeCredentials);
      const credential = await newCredential(settings, rpId, options, tamper);
      const response = registrationResponse(settings, credential, options, tamper);
      residents.delete(credential.id);
      residents.set(credential.id, credential);
      return response;
    },

    async get(options, tamper = {}) {
      const rpId = options.rpId ?? new URL(settings.origin).hostname;
      const chosen =
        tamper.credential === undefined
          ? chooseCredential(residents, rpId, options.allowCredentials)
          : findCredential(residents, tamper.credential);
      const credential = { ...chosen, counter: chosen.counter + settings.counterStep };
      residents.set(credential.id, credential);
      return authenticationResponse(settings, credential, rpId, options, tamper);
    },

    clone: () => authenticatorHolding(new Map(residents), settings),

    forget(id) {
      residents.delete(id);
    },
  };
}

function findCredential(residents: ResidentCredentials, id: string): SoftwareCredential {
  const credential = residents.get(id);
  if (!credential) throw new TypeError(`tamper.credential: this authenticator has no credential ${id}`);
  return credential;
}
