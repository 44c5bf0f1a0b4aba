import { randomBytes } from 'node:crypto';
import type { Sealer } from '../../../src/core/sealing.ts';

/** The ceremonies that were started with a published challenge. */
const started = new Map<string, { value: unknown; nonce: string }>();
let next: string | null = null;

/** Makes the service use this challenge for the ceremony that starts next. */
export function useChallenge(challenge: string): void {
  next = challenge;
}

/**
 * Replaces only the challenges of ceremonies. The challenges of the service are encrypted and random, so they are never
 * the published ones. Everything else works as in the real sealer; the nonce is also random and is spent in the
 * database.
 */
export function withPublishedChallenges(real: Sealer): Sealer {
  return {
    ...real,
    seal: (purpose, value) => {
      if (purpose !== 'ceremony' || next === null) return real.seal(purpose, value);
      const challenge = next;
      next = null;
      started.set(challenge, { value, nonce: randomBytes(16).toString('base64url') });
      return challenge;
    },
    open: (purpose, token) =>
      (purpose === 'ceremony' ? started.get(token) : undefined) ?? real.open(purpose, token),
  };
}
