import { hash, randomBytes } from 'node:crypto';

/** A session token: 256 random bits, base64url (ASVS 7.2.3). */
export const newSessionToken = (): string => randomBytes(32).toString('base64url');

/** What is stored of a token. A plain digest is enough for 256 random bits: there is nothing to guess. */
export const hashToken = (token: string): string => hash('sha256', token, 'base64url');
