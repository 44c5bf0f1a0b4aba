import { availableParallelism } from 'node:os';
import bcrypt from 'bcrypt';
import pLimit from 'p-limit';
import { second } from '../core/duration.ts';
import { AuthError } from '../core/errors.ts';
import type { Runtime } from '../core/runtime.ts';

/**
 * bcrypt occupies a core for a quarter of a second, and one of libuv's four threads, which also verify passkeys. This
 * limit keeps one core and one thread free for other requests during a flood of password attempts.
 */
const maxConcurrent = Math.max(1, Math.min(3, availableParallelism() - 1));
const queue = pLimit(maxConcurrent);
const maxWaitMs = 5 * second;

/** How many passwords this process is checking or hashing, and how many are waiting. */
export interface PasswordQueue {
  running: number;
  waiting: number;
}

export const passwordQueue = (): PasswordQueue => ({
  running: queue.activeCount,
  waiting: queue.pendingCount,
});

// Work is measured in rounds: a bcrypt hash takes 2^cost of them. `roundsPerMs` is a moving average of measured times.
let queuedRounds = 0;
let roundsPerMs = 16;
let isOverloadLogged = false;

type Settings = Pick<Runtime, 'config' | 'log'>;

/** @throws AuthError `unavailable` if the work would wait in the queue for longer than five seconds */
async function enqueue<T>({ log }: Settings, rounds: number, work: () => Promise<T>): Promise<T> {
  const waitMs = queuedRounds / roundsPerMs / maxConcurrent;
  if (waitMs > maxWaitMs) {
    // Logged once per overload, because one line per request would flood the log.
    if (!isOverloadLogged)
      log.warn({ waitMs: Math.round(waitMs) }, 'too many passwords to check; rejecting further requests');
    isOverloadLogged = true;
    throw new AuthError('unavailable', {
      message: 'Too many passwords are being checked.',
      headers: { 'Retry-After': `${Math.ceil(waitMs / second)}` },
    });
  }
  queuedRounds += rounds;
  try {
    return await queue(() => timed(rounds, work));
  } finally {
    queuedRounds -= rounds;
    if (queuedRounds === 0) isOverloadLogged = false;
  }
}

async function timed<T>(rounds: number, work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  const result = await work();
  roundsPerMs = 0.9 * roundsPerMs + 0.1 * (rounds / Math.max(0.1, performance.now() - startedAt));
  return result;
}

/** Hashes a normalized password. @throws AuthError `unavailable` if too many passwords wait */
export const hashPassword = (runtime: Settings, password: string): Promise<string> => {
  const { bcryptCost: cost } = runtime.config;
  return enqueue(runtime, 2 ** cost, () => bcrypt.hash(password, cost));
};

/** Whether a hash has a lower cost than the configured one. */
export const isOutdated = ({ config }: Settings, hash: string): boolean =>
  bcrypt.getRounds(hash) < config.bcryptCost;

/**
 * Whether the normalized password matches the hash. Every call does the work of the configured cost, so that its duration
 * does not reveal whether there is a hash (null: none) or how old it is.
 *
 * For a hash with a lower cost c, further comparisons make up the difference: 2^c + 2^c + 2^(c+1) + ... + 2^(cost-1) =
 * 2^cost. Only a hash with a higher cost, from before the configured cost was lowered, takes longer.
 *
 * @throws AuthError `unavailable` if too many passwords wait
 */
export function verifyPassword(runtime: Settings, password: string, hash: string | null): Promise<boolean> {
  const { bcryptCost: cost } = runtime.config;
  const comparedHash = hash ?? dummyHash(cost);
  const comparedCost = bcrypt.getRounds(comparedHash);
  return enqueue(runtime, 2 ** Math.max(comparedCost, cost), async () => {
    const matches = await bcrypt.compare(password, comparedHash);
    for (let extraCost = comparedCost; extraCost < cost; extraCost += 1) {
      await bcrypt.compare(password, dummyHash(extraCost));
    }
    return matches && hash !== null;
  });
}

/** A well-formed hash that no password matches. */
const dummyHash = (cost: number) => `$2b$${`${cost}`.padStart(2, '0')}$${'.'.repeat(53)}`;
