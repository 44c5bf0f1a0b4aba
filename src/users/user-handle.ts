import { randomBytes } from 'node:crypto';

/**
 * Returns a new user handle: 64 random bytes, base64url. Authenticators store the user handle as the user's id. It
 * contains no personal data (WebAuthn 14.6.1).
 */
export const newUserHandle = (): string => randomBytes(64).toString('base64url');
