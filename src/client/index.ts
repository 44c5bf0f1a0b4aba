export { passkeyObstacle, supportsPasskeyAutofill } from './ceremonies.ts';
export {
  type AuthClient,
  type AuthClientOptions,
  createAuthClient,
  type PasskeysClient,
  type SessionsClient,
} from './client.ts';
export {
  AuthClientError,
  type AuthClientErrorCode,
  type AuthClientErrorDetails,
  type ClientErrorCode,
  type InputFault,
  type ServiceErrorCode,
} from './errors.ts';
export type {
  Account,
  CurrentSession,
  Passkey,
  Role,
  Session,
  SignedIn,
  SignedUp,
  User,
  UsernameAvailability,
} from './types.ts';
