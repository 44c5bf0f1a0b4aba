import { availableParallelism } from 'node:os';
import bcrypt from 'bcrypt';
import pLimit from 'p-limit';
import { second } from '../core/duration.ts';
import { AuthError } from '../core/errors.ts';
import type { Runtime } from '../core/runtime.ts';

/**
 * bcrypt takes a core for a quarter of a second, and one of libuv's four threads, which passkeys are verified on as
 * well. So one core and one thread are left to everybody else, whoever hammers passwords.
 */
const atOnce = Math.max(1, Math.min(3, availableParallelism() - 1));
const queue = pLimit(atOnce);
const longestWait = 5 * second;

/** How many passwords this process is checking or hashing, and how many wait for their turn. */
export interface PasswordQueue {
  running: number;
  waiting: number;
}

export const passwordQueue = (): PasswordQueue => ({
  running: queue.activeCount,
  waiting: queue.pendingCount,
});

// Work is counted in rounds, of which bcrypt makes two to the power of its cost. How long one takes is learned.
let roundsAhead = 0;
let roundsPerMs = 16;
let wasFull = false;

type Settings = Pick<Runtime, 'config' | 'log'>;

/** @throws AuthError `unavailable` where so many wait already that this would wait for longer than five seconds */
async function enqueue<T>({ log }: Settings, rounds: number, work: () => Promise<T>): Promise<T> {
  const wait = roundsAhead / roundsPerMs / atOnce;
  if (wait > longestWait) {
    // Once for each flood: a line for each request would be one of its own.
    if (!wasFull)
      log.warn({ waitMs: Math.round(wait) }, 'too many passwords to check; further ones are turned away');
    wasFull = true;
    throw new AuthError('unavailable', {
      message: 'Too many passwords are being checked just now.',
      headers: { 'Retry-After': `${Math.ceil(wait / second)}` },
    });
  }
  roundsAhead += rounds;
  try {
    return await queue(() => timed(rounds, work));
  } finally {
    roundsAhead -= rounds;
    if (roundsAhead === 0) wasFull = false;
  }
}

async function timed<T>(rounds: number, work: () => Promise<T>): Promise<T> {
  const began = performance.now();
  const result = await work();
  roundsPerMs = 0.9 * roundsPerMs + 0.1 * (rounds / Math.max(0.1, performance.now() - began));
  return result;
}

/** The digest to store of a normalized password. @throws AuthError `unavailable` */
export const hashPassword = (runtime: Settings, password: string): Promise<string> => {
  const { bcryptCost: cost } = runtime.config;
  return enqueue(runtime, 2 ** cost, () => bcrypt.hash(password, cost));
};

/** Whether a digest was made with less work than is asked for now. */
export const isOutdated = ({ config }: Settings, hash: string): boolean =>
  bcrypt.getRounds(hash) < config.bcryptCost;

/**
 * Whether the password is the one behind the digest. It takes the same work with a digest and without (null). Where an
 * older one was cheaper, what it lacks is done beside it, at its cost, the next, and so on up to the one below
 * ours: 2^c + 2^c + 2^(c+1) + ... + 2^(cost-1) = 2^cost. Only one that was costlier, of a configuration since lowered,
 * takes longer.
 *
 * @throws AuthError `unavailable`
 */
export function verifyPassword(runtime: Settings, password: string, hash: string | null): Promise<boolean> {
  const { bcryptCost: cost } = runtime.config;
  const compared = hash ?? impossibleHash(cost);
  const first = bcrypt.getRounds(compared);
  return enqueue(runtime, 2 ** Math.max(first, cost), async () => {
    const matches = await bcrypt.compare(password, compared);
    for (let lacking = first; lacking < cost; lacking += 1) {
      await bcrypt.compare(password, impossibleHash(lacking));
    }
    return matches && hash !== null;
  });
}

/** A digest in form, of no password: what is compared where there is none. */
const impossibleHash = (cost: number) => `$2b$${`${cost}`.padStart(2, '0')}$${'.'.repeat(53)}`;
