import { hash, randomBytes } from 'node:crypto';

/** A session token: 256 random bits, base64url (ASVS 7.2.3). */
export const newSessionToken = (): string => randomBytes(32).toString('base64url');

/** The hash under which a token is stored. A fast hash is enough: 256 random bits cannot be guessed. */
export const hashToken = (token: string): string => hash('sha256', token, 'base64url');
