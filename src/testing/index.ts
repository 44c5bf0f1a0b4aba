export type { AttestationKind } from './authenticator/attestation.ts';
export type { SoftwareAuthenticatorOptions } from './authenticator/authenticator-settings.ts';
export {
  append,
  flipLastBit,
  indefiniteMap,
  nonMinimalMap,
  offCurve,
  rawEcdsaSignature,
  truncateBy,
  withoutMember,
} from './authenticator/corruptions.ts';
export { type CborMap, COSE } from './authenticator/cose-key.ts';
export type { SoftwareCredential } from './authenticator/resident-credentials.ts';
export type { SoftwareAlgorithm } from './authenticator/signing-key.ts';
export {
  createSoftwareAuthenticator,
  type SoftwareAuthenticator,
} from './authenticator/software-authenticator.ts';
export type {
  AuthenticatorFlag,
  ByteTransform,
  CeremonyTampering,
  ClientDataTampering,
  CreateTampering,
  GetTampering,
  SignedBytesTampering,
} from './authenticator/tampering.ts';
export { createInMemoryDatabase } from './in-memory-database.ts';
