export { passkeyObstacle, supportsPasskeyAutofill } from './ceremonies.ts';
export { type AuthClient, type AuthClientOptions, createAuthClient } from './client.ts';
export {
  AuthClientError,
  type AuthClientErrorCode,
  type AuthClientErrorDetails,
  type ClientErrorCode,
  type InputFault,
  type ServiceErrorCode,
} from './errors.ts';
export type { PasskeysClient } from './passkeys.ts';
export type { PasswordClient } from './password.ts';
export type { RecoveryClient } from './recovery.ts';
export type { SessionsClient } from './sessions.ts';
export type { StepUpAnswer } from './step-up.ts';
export type {
  Account,
  CurrentSession,
  Passkey,
  RecoveryCodes,
  RecoveryCodesState,
  Role,
  Session,
  SignedIn,
  SignedUp,
  User,
  UsernameAvailability,
} from './types.ts';
