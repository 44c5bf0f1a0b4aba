export type { ServiceTokenClaims } from './claims.ts';
export { ServiceTokenError, type ServiceTokenErrorCode } from './error.ts';
export type { JsonWebKeySet } from './key-sets.ts';
export { type VerifyServiceTokenOptions, verifyServiceToken } from './verify.ts';
