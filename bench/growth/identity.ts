import { createHash } from 'node:crypto';

// The credentials and usernames of seeded users, derived from their number in the same way as in the database.
const digest = (text: string): string => createHash('sha256').update(text).digest('base64url');

export const credentialIdOf = (person: number): string => digest(`credential ${person}`);
export const userHandleOf = (person: number): string =>
  digest(`handle ${person}`) + digest(`handle of ${person}`);

/** Each user has two sessions: one was just used, the other not for a while. */
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
