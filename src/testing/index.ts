export type { AuditEventReference, Database, Statement } from '../core/database.ts';
export {
  type AttestationAuthority,
  type AttestationAuthorityOptions,
  createAttestationAuthority,
  type TestAuthenticatorModel,
} from './authenticator/attestation-authority.ts';
export type { AttestationKind, CertifiedKind } from './authenticator/attestation-kind.ts';
export type { SoftwareAuthenticatorOptions } from './authenticator/authenticator-settings.ts';
export type { Bytes } from './authenticator/bytes.ts';
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
export { createTestDatabase } from './database/create-test-database.ts';
export type { TestDatabase, TestDatabaseOptions } from './database/test-database.ts';
export { createInMemoryDatabase } from './in-memory-database.ts';
export { createTestAuthService } from './kit/create-test-auth-service.ts';
export type { TestOrganization } from './kit/organizations.ts';
export type { TestableApp } from './kit/served-app.ts';
export type { RequestHeaders, Sending, TestAgent, TestAnswer } from './kit/test-agent.ts';
export type {
  SignedInAgent,
  TestAuthService,
  TestAuthServiceOptions,
  TestPerson,
} from './kit/test-auth-service.ts';
export type { Duration, TestClock } from './kit/test-clock.ts';
