import { createHash } from 'node:crypto';

// Derives the credentials and the username of a seeded user from the user's number, as the SQL in seed.ts does.
const digest = (text: string): string => createHash('sha256').update(text).digest('base64url');

export const credentialIdOf = (person: number): string => digest(`credential ${person}`);
export const userHandleOf = (person: number): string =>
  digest(`handle ${person}`) + digest(`handle of ${person}`);

/** Each user has two sessions. The first was just used. The second was last used earlier. */
export type SessionState = 'in use' | 'at rest';
export const tokenOf = (person: number, state: SessionState): string => digest(`session ${state} ${person}`);

export const givenNames = [
  'anna',
  'david',
  'elena',
  'ivan',
  'jonas',
  'maria',
  'martin',
  'nadia',
  'peter',
  'sofia',
] as const;
export const familyNames = ['berg', 'costa', 'dubois', 'evans', 'fischer', 'garcia', 'hansen'] as const;

/** Exactly ten usernames begin with this. */
export const rareName = 'zo';
/** A fifth of all usernames begin with this. */
export const commonName = 'ma';

export const usernameOf = (person: number): string => {
  const given = person < 10 ? 'zoe' : givenNames[person % givenNames.length];
  return `${given}.${familyNames[person % familyNames.length]}${person}`;
};
