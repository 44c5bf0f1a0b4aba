import type { KeyObject } from 'node:crypto';
import type { Bytes } from './bytes.ts';
import type { CborMap } from './cose-key.ts';
import type { SoftwareAlgorithm } from './signing-key.ts';

/** A function that changes bytes, such as `flipLastBit`, `truncateBy(4)` or `append(0)`. */
export type ByteTransform = (bytes: Bytes) => Uint8Array;

/** A bit of the flags byte (WebAuthn Level 3, 6.1). `rfu1` and `rfu2` are reserved. */
export type AuthenticatorFlag = 'up' | 'rfu1' | 'uv' | 'be' | 'bs' | 'rfu2' | 'at' | 'ed';

/**
 * Changes the client data (WebAuthn Level 3, 5.8.1).
 *
 * - An object overrides or adds members. A member that is `undefined` is removed.
 * - A function gets the correct JSON text and returns the text to send.
 * - A string or bytes replace the whole text.
 */
export type ClientDataTampering =
  | Record<string, unknown>
  | string
  | Uint8Array
  | ((json: string) => string | Uint8Array);

/**
 * Changes to a response, for both ceremonies. `afterSigning` makes the signature invalid. After every other change, the
 * signature is valid: the change happens **before** signing, or the signature does not cover the changed member. So a
 * rejection proves that the server checks the changed member.
 */
export interface CeremonyTampering {
  /** Client data: type, challenge, origin, crossOrigin, topOrigin, or any other member. */
  clientData?: ClientDataTampering;
  /** The RP ID whose SHA-256 hash is in the authenticator data. */
  rpId?: string;
  /** Sets or clears bits of the flags byte. The rest of the authenticator data stays the same. */
  flags?: Partial<Record<AuthenticatorFlag, boolean>>;
  /** The signature counter in the response, 0 to 2^32 - 1. The counter of the credential stays the same. */
  signCount?: number;
  /** Whether to include attested credential data and set the AT flag. Default: true in `create`, false in `get`. */
  attestedCredentialData?: boolean;
  /** Authenticator extension outputs, as a CBOR map or raw bytes. Sets the ED flag. */
  extensionData?: CborMap | Uint8Array;
  /** Transforms the whole authenticator data, as the last step before signing. */
  authenticatorData?: ByteTransform;

  /** The `id` of the response. Also sets `rawId`, unless `rawId` is given. The signature does not cover `id`. */
  id?: string;
  /** The `rawId` of the response. */
  rawId?: string;
  /** The `type` of the response. Default: `public-key`. */
  type?: string;
  /** `undefined` omits the member. */
  authenticatorAttachment?: string | undefined;
  /** Replaces the client extension outputs. */
  clientExtensionResults?: Record<string, unknown>;

  /**
   * Changes bytes after signing, so that the signature is invalid. A registration has a signature only with the option
   * `attestation: 'packed-self'`.
   */
  afterSigning?: SignedBytesTampering;
}

/** Changes to bytes after signing. */
export interface SignedBytesTampering {
  clientDataJSON?: ByteTransform;
  authenticatorData?: ByteTransform;
  /** In `get`: the signature of the assertion. In `create`: the signature of the self attestation. */
  signature?: ByteTransform;
}

/** Changes to a registration (WebAuthn Level 3, 7.1). */
export interface CreateTampering extends CeremonyTampering {
  /** The AAGUID in the attestation certificate. Default: that of the authenticator. */
  certifiedAaguid?: string;
  /** The algorithm of the new key. The creation options do not need to offer it. */
  algorithm?: SoftwareAlgorithm;
  /** The private key of the new credential, for example an RSA key of 512 bits or the key of another user. */
  key?: KeyObject;
  /** Changes the COSE key in the response. The function gets a copy of the correct key, and returns a map or bytes. */
  publicKey?: (key: CborMap) => CborMap | Uint8Array;
  /**
   * The id of the new credential, in the authenticator data and in the response. To change only the id in the response,
   * set `id` instead.
   */
  credentialId?: Uint8Array;
  /** The AAGUID in the attested credential data, as a UUID. */
  aaguid?: string;
  /** The attestation statement format. */
  fmt?: string;
  /** Replaces the attestation statement. `signedData` contains the bytes that an attestation signature covers. */
  attStmt?: (statement: CborMap, signedData: Bytes) => CborMap;
  /** `undefined` omits the member. */
  transports?: string[] | undefined;
  afterSigning?: SignedBytesTampering & { attestationObject?: ByteTransform };
}

/** Changes to an authentication (WebAuthn Level 3, 7.2). */
export interface GetTampering extends CeremonyTampering {
  /** The id of the credential that signs. The options do not need to allow this credential. */
  credential?: string;
  /** The user handle in base64url. `null` sends null. `undefined` omits the member. */
  userHandle?: string | null | undefined;
}

/** Returns the override if `tamper` has the member, even if the member is undefined. */
export function overridden<T extends object, K extends keyof T, H>(
  tamper: T,
  member: K,
  honest: H,
): T[K] | H {
  return Object.hasOwn(tamper, member) ? tamper[member] : honest;
}

export function transformed(bytes: Bytes, transform: ByteTransform | undefined): Bytes {
  return transform ? new Uint8Array(transform(bytes)) : bytes;
}
