import { randomBytes } from 'node:crypto';

/**
 * Returns a new user handle, the id of the user that authenticators store: 64 random bytes, base64url. It contains no
 * personal data (WebAuthn 14.6.1).
 */
export const newUserHandle = (): string => randomBytes(64).toString('base64url');
