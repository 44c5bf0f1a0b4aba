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

/** A simulated browser with an authenticator. It takes the options of a ceremony and returns the response. */
export interface SoftwareAuthenticator {
  /** A copy of the authenticator's credentials, oldest first. Later ceremonies do not change the copy. */
  readonly credentials: readonly SoftwareCredential[];

  /**
   * Creates a discoverable credential, like `navigator.credentials.create()` (WebAuthn Level 3, 5.1.3). The
   * authenticator keeps the credential even if the server rejects it. Call `forget` to delete the credential.
   *
   * @throws DOMException `InvalidStateError` if `excludeCredentials` lists a credential of the authenticator
   * @throws DOMException `NotSupportedError` if `pubKeyCredParams` does not contain the algorithm
   */
  create(
    options: PublicKeyCredentialCreationOptionsJSON,
    tamper?: CreateTampering,
  ): Promise<RegistrationResponseJSON>;

  /**
   * Signs with the newest allowed credential for the RP ID, like `navigator.credentials.get()` (WebAuthn Level 3,
   * 5.1.4). The response contains the user handle.
   *
   * @throws DOMException `NotAllowedError` if the authenticator has no allowed credential
   */
  get(
    options: PublicKeyCredentialRequestOptionsJSON,
    tamper?: GetTampering,
  ): Promise<AuthenticationResponseJSON>;

  /** Creates a copy with the same private keys. The counters of the copy then increase independently. */
  clone(): SoftwareAuthenticator;

  /** Deletes the credential with this id (base64url). Ignores an unknown id. */
  forget(id: string): void;
}

/**
 * Creates a WebAuthn Level 3 authenticator for tests. It follows the specification, except for the changes that a test
 * requests with `tamper`.
 *
 * Unlike a browser, it does not check that the RP ID matches the origin. So a test can check that the server rejects a
 * wrong RP ID.
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
