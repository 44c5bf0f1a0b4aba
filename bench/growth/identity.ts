import { createHash } from 'node:crypto';

// What seeded people bring when they sign in, and a name, made from their number, as the database makes them.
const digest = (text: string): string => createHash('sha256').update(text).digest('base64url');

export const credentialIdOf = (person: number): string => digest(`credential ${person}`);
export const userHandleOf = (person: number): string =>
  digest(`handle ${person}`) + digest(`handle of ${person}`);

/** Of two sessions: one has just been seen, the other not for a while. */
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

/** Ten people have a name that begins like this, however many there are, … */
export const rareName = 'zo';
/** … and a fifth of all has one of these. */
export const commonName = 'ma';

export const usernameOf = (person: number): string => {
  const given = person < 10 ? 'zoe' : givenNames[person % givenNames.length];
  return `${given}.${familyNames[person % familyNames.length]}${person}`;
};
