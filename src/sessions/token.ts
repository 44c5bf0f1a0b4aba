import { hash, randomBytes } from 'node:crypto';

/** Returns a new session token: 256 random bits, base64url (ASVS 7.2.3). */
export const newSessionToken = (): string => randomBytes(32).toString('base64url');

/** Returns the hash of a token. The database stores only the hash. A fast hash is safe, because a token is random. */
export const hashToken = (token: string): string => hash('sha256', token, 'base64url');
