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

/** A browser and an authenticator in one: takes the options of a ceremony and really signs. */
export interface SoftwareAuthenticator {
  /** What it holds, oldest first: a snapshot, whose counters do not move. */
  readonly credentials: readonly SoftwareCredential[];

  /**
   * Makes a discoverable credential, as `navigator.credentials.create()` (WebAuthn Level 3, 5.1.3). It is
   * kept whatever the server thinks of it, tampered or not; `forget` drops it.
   *
   * @throws DOMException `InvalidStateError` when it holds one of `excludeCredentials`; `NotSupportedError`
   * when its algorithm is not among `pubKeyCredParams`.
   */
  create(
    options: PublicKeyCredentialCreationOptionsJSON,
    tamper?: CreateTampering,
  ): Promise<RegistrationResponseJSON>;

  /**
   * Signs with the newest credential for the RP id that `allowCredentials` admits, as
   * `navigator.credentials.get()` (WebAuthn Level 3, 5.1.4); the user handle is always included.
   *
   * @throws DOMException `NotAllowedError` when it holds none.
   */
  get(
    options: PublicKeyCredentialRequestOptionsJSON,
    tamper?: GetTampering,
  ): Promise<AuthenticationResponseJSON>;

  /** A second authenticator with the same private keys and counters, which go their own ways from here. */
  clone(): SoftwareAuthenticator;

  /** Drops the credential with this id (base64url), as its owner might; an unknown id is no error. */
  forget(id: string): void;
}

/**
 * A WebAuthn Level 3 authenticator for tests, which plays by the rules unless a call tampers. Unlike a
 * browser, it does not ask whether the RP id belongs to the origin: a test wants to see the server refuse.
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
          : held(residents, tamper.credential);
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

function held(residents: ResidentCredentials, id: string): SoftwareCredential {
  const credential = residents.get(id);
  if (!credential) throw new TypeError(`tamper.credential: this authenticator holds no credential ${id}`);
  return credential;
}
