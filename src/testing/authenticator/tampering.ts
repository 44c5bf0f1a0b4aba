import type { KeyObject } from 'node:crypto';
import type { Bytes } from './bytes.ts';
import type { CborMap } from './cose-key.ts';
import type { SoftwareAlgorithm } from './signing-key.ts';

/** Changes bytes: `flipLastBit`, `truncateBy(4)`, `append(0)`, or a function of the test. */
export type ByteTransform = (bytes: Bytes) => Uint8Array;

/** A bit of the flags byte (WebAuthn Level 3, 6.1). `rfu1` and `rfu2` are reserved. */
export type AuthenticatorFlag = 'up' | 'rfu1' | 'uv' | 'be' | 'bs' | 'rfu2' | 'at' | 'ed';

/**
 * Tampers with the client data (WebAuthn Level 3, 5.8.1). An object overrides or adds members, and removes members that
 * are `undefined`. A function gets the correct JSON text and returns another. A string or bytes replace the whole text.
 */
export type ClientDataTampering =
  | Record<string, unknown>
  | string
  | Uint8Array
  | ((json: string) => string | Uint8Array);

/**
 * Tampering that applies to both ceremonies. Everything except `afterSigning` takes effect **before** signing, or is not
 * covered by the signature. The signature stays valid, so a rejection proves that the server checks the value.
 */
export interface CeremonyTampering {
  /** Client data: type, challenge, origin, crossOrigin, topOrigin, or any other member. */
  clientData?: ClientDataTampering;
  /** The RP ID whose SHA-256 hash is in the authenticator data. */
  rpId?: string;
  /** Bits of the flags byte. Changes only these bits: the sections of the data stay the same. */
  flags?: Partial<Record<AuthenticatorFlag, boolean>>;
  /** The signature counter in the response, 0 to 2^32 - 1. The credential's own counter is not affected. */
  signCount?: number;
  /** Whether to include attested credential data and set the AT flag. Default: true at create, false at get. */
  attestedCredentialData?: boolean;
  /** Authenticator extension outputs, as a CBOR map or raw bytes. Sets the ED flag. */
  extensionData?: CborMap | Uint8Array;
  /** Transforms the whole authenticator data, as the last step before signing. */
  authenticatorData?: ByteTransform;

  /** `id` of the response. Also sets `rawId`, unless `rawId` is given. Not covered by the signature. */
  id?: string;
  /** Only `rawId` of the response. */
  rawId?: string;
  /** `type` of the response. Default: `public-key`. */
  type?: string;
  /** `undefined` omits it. */
  authenticatorAttachment?: string | undefined;
  /** Replaces the client extension outputs. */
  clientExtensionResults?: Record<string, unknown>;

  /**
   * Transforms bytes after signing, which breaks the signature. A registration has a signature only with
   * `attestation: 'packed-self'`.
   */
  afterSigning?: SignedBytesTampering;
}

/** Transforms of bytes after signing. */
export interface SignedBytesTampering {
  clientDataJSON?: ByteTransform;
  authenticatorData?: ByteTransform;
  /** The signature of the assertion. At create: the signature of the packed self attestation. */
  signature?: ByteTransform;
}

/** Tampering with a registration (WebAuthn Level 3, 7.1). */
export interface CreateTampering extends CeremonyTampering {
  /** The algorithm of the new key. Does not have to be offered. */
  algorithm?: SoftwareAlgorithm;
  /** The new credential's private key: for example RSA of 512 bits, P-384 with ES256, or another user's key. */
  key?: KeyObject;
  /** Replaces the COSE key that is sent. Gets a copy of the correct map; returns a map, or any bytes. */
  publicKey?: (key: CborMap) => CborMap | Uint8Array;
  /** The new credential's id, everywhere in the response. To contradict the signed data, set `id` instead. */
  credentialId?: Uint8Array;
  /** The AAGUID in the attested credential data, as a UUID. */
  aaguid?: string;
  /** The attestation statement format. */
  fmt?: string;
  /** Replaces the attestation statement. `signedData` is what an attestation signature covers. */
  attStmt?: (statement: CborMap, signedData: Bytes) => CborMap;
  /** `undefined` omits them. */
  transports?: string[] | undefined;
  afterSigning?: SignedBytesTampering & { attestationObject?: ByteTransform };
}

/** Tampering with an authentication (WebAuthn Level 3, 7.2). */
export interface GetTampering extends CeremonyTampering {
  /** The id of the credential that signs. Ignores `allowCredentials` and the RP ID of the options. */
  credential?: string;
  /** base64url. `null` is sent as null, `undefined` omits it. */
  userHandle?: string | null | undefined;
}

/** Returns the override if the member is present. A present member that is undefined omits the member. */
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
