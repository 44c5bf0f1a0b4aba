import type { CertificationLevel } from './authenticator-policy.ts';

/** What the metadata says about a model of authenticators. */
export interface AuthenticatorModel {
  readonly name: string | null;
  /** The statuses that mean that the model is not secure anymore. */
  readonly statuses: readonly string[];
  readonly certification: CertificationLevel | null;
  /** The certificates that attestations of the model lead to (PEM). */
  readonly roots: readonly string[];
  /** The metadata statement, for the library that verifies attestations. */
  readonly statement: unknown;
}

/** The state of the metadata of authenticators, for monitoring. */
export interface AuthenticatorMetadataState {
  /** The number of models. Zero: the metadata has not been read yet. */
  models: number;
  /** The serial number of the metadata. Null: not read yet. */
  number: number | null;
  /** When the publisher replaces the metadata (RFC 3339 date). Null: not read yet. */
  nextUpdate: string | null;
  /** Whether `nextUpdate` is over, so that the metadata lacks newer warnings. Also true if it has not been read yet. */
  isStale: boolean;
  /** Why the last attempt to read the metadata failed. Null: it succeeded. */
  fault: string | null;
}

/** The metadata of authenticators in this process. */
export interface AuthenticatorMetadata {
  /** Waits for the first copy, at most five seconds after the start. Call it before `modelOf`. */
  ready(): Promise<void>;
  /** The model with this AAGUID. Null: unknown. */
  modelOf(aaguid: string): AuthenticatorModel | null;
  /** The model of a U2F authenticator, by the key identifier of its attestation certificate. Null: unknown. */
  modelWithKey(keyIdentifier: string): AuthenticatorModel | null;
  state(): AuthenticatorMetadataState;
  stop(): Promise<void>;
}
