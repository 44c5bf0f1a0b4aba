import type { KeyObject } from 'node:crypto';
import type { Bytes } from './bytes.ts';
import type { CborMap } from './cose-key.ts';
import type { SoftwareAlgorithm } from './signing-key.ts';

/** Changes bytes: `flipLastBit`, `truncateBy(4)`, `append(0)`, or a function of the test's own. */
export type ByteTransform = (bytes: Bytes) => Uint8Array;

/** A bit of the flags byte (WebAuthn Level 3, 6.1); `rfu1` and `rfu2` are the two reserved ones. */
export type AuthenticatorFlag = 'up' | 'rfu1' | 'uv' | 'be' | 'bs' | 'rfu2' | 'at' | 'ed';

/**
 * What the client data says (WebAuthn Level 3, 5.8.1). An object overrides single members, adds unknown
 * ones, and removes those that are `undefined`; a function gets the honest JSON text; text or bytes replace
 * it whole.
 */
export type ClientDataTampering =
  | Record<string, unknown>
  | string
  | Uint8Array
  | ((json: string) => string | Uint8Array);

/**
 * Lies both ceremonies can tell. The rule: everything but `afterSigning` takes effect **before** the
 * signature is made, or lies outside what it covers. The signature stays good, so a refusal proves the check
 * and not merely a broken signature.
 */
export interface CeremonyTampering {
  /** Client data: type, challenge, origin, crossOrigin, topOrigin, tokenBinding, anything. */
  clientData?: ClientDataTampering;
  /** The RP id whose SHA-256 opens the authenticator data. */
  rpId?: string;
  /** Single bits of the flags byte. They change bits only: no section of the data comes or goes with them. */
  flags?: Partial<Record<AuthenticatorFlag, boolean>>;
  /** The stated signature counter, 0 to 2^32 - 1; the credential's own counter goes on by itself. */
  signCount?: number;
  /** Attested credential data in or out, AT flag included. Honestly: in at create, out at get. */
  attestedCredentialData?: boolean;
  /** Authenticator extension outputs, as a CBOR map or as raw bytes; sets the ED flag. */
  extensionData?: CborMap | Uint8Array;
  /** The whole authenticator data, last before it is signed: truncate it, append to it. */
  authenticatorData?: ByteTransform;

  /** `id` of the response, and `rawId` unless that is given as well; not covered by the signature. */
  id?: string;
  /** `rawId` alone. */
  rawId?: string;
  /** `type` of the response, honestly `public-key`. */
  type?: string;
  /** `undefined` leaves it out. */
  authenticatorAttachment?: string | undefined;
  /** Client extension outputs, in place of the honest ones. */
  clientExtensionResults?: Record<string, unknown>;

  /**
   * Applied to the finished bytes once the signature exists: these break what was signed. A registration is
   * signed only under `attestation: 'packed-self'`.
   */
  afterSigning?: SignedBytesTampering;
}

/** Transforms of finished bytes, after signing. */
export interface SignedBytesTampering {
  clientDataJSON?: ByteTransform;
  authenticatorData?: ByteTransform;
  /** The assertion's signature; at create, that of the packed self attestation. */
  signature?: ByteTransform;
}

/** Lies at registration (WebAuthn Level 3, 7.1), on top of those of every ceremony. */
export interface CreateTampering extends CeremonyTampering {
  /** Makes a key of this algorithm, offered or not. */
  algorithm?: SoftwareAlgorithm;
  /** The new credential's private key: RSA of 512 bits, P-384 under ES256, somebody else's. */
  key?: KeyObject;
  /** The COSE key that is sent: gets a copy of the honest map, returns a map or bytes, CBOR or not. */
  publicKey?: (key: CborMap) => CborMap | Uint8Array;
  /** The new credential's id, everywhere. For a response that contradicts its own data, set `id`. */
  credentialId?: Uint8Array;
  /** AAGUID in the attested credential data, as a UUID. */
  aaguid?: string;
  /** Attestation statement format. */
  fmt?: string;
  /** The statement, which carries the attestation signature. `signedData` is what such a signature covers. */
  attStmt?: (statement: CborMap, signedData: Bytes) => CborMap;
  /** `undefined` leaves them out. */
  transports?: string[] | undefined;
  afterSigning?: SignedBytesTampering & { attestationObject?: ByteTransform };
}

/** Lies at authentication (WebAuthn Level 3, 7.2), on top of those of every ceremony. */
export interface GetTampering extends CeremonyTampering {
  /** Id of the resident credential that signs, whatever `allowCredentials` and the RP id ask for. */
  credential?: string;
  /** base64url; `null` is sent as null, `undefined` leaves it out. */
  userHandle?: string | null | undefined;
}

/** A member that is present but undefined is an override too: it leaves the member out. */
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
