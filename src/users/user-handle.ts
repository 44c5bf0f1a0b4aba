import { randomBytes } from 'node:crypto';

/** The user handle that authenticators store, without personal data: 64 random bytes, base64url (WebAuthn 14.6.1). */
export const newUserHandle = (): string => randomBytes(64).toString('base64url');
