import { randomBytes } from 'node:crypto';

/** What an authenticator stores in place of anything personal: 64 random bytes, base64url (WebAuthn 14.6.1). */
export const newUserHandle = (): string => randomBytes(64).toString('base64url');
