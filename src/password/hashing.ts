import { availableParallelism } from 'node:os';
import bcrypt from 'bcrypt';
import pLimit from 'p-limit';
import { second } from '../core/duration.ts';
import { AuthError } from '../core/errors.ts';
import type { Runtime } from '../core/runtime.ts';
import {
  comparisonWith,
  currentPrefix,
  hasConfiguredSecret,
  passwordDigests,
  readStoredHash,
} from './stored-hash.ts';

/**
 * How many passwords the process hashes at the same time. With the default cost, a bcrypt hash occupies one core and
 * one of libuv's four threads for about a quarter of a second. Passkey verification needs these threads, too. The limit
 * keeps one thread free for other requests. On a machine with several cores, it also keeps one core free.
 */
const maxConcurrent = Math.max(1, Math.min(3, availableParallelism() - 1));
const queue = pLimit(maxConcurrent);
const maxWaitMs = 5 * second;

/** How many passwords the process is checking or hashing now, and how many wait in the queue. */
export interface PasswordQueue {
  running: number;
  waiting: number;
}

export const passwordQueue = (): PasswordQueue => ({
  running: queue.activeCount,
  waiting: queue.pendingCount,
});

// Work is measured in rounds: one bcrypt hash takes 2^cost rounds. `roundsPerMs` is a moving average of the measured
// speed.
let queuedRounds = 0;
let roundsPerMs = 16;
let isOverloadLogged = false;

type Settings = Pick<Runtime, 'config' | 'log' | 'sealer'>;

/** @throws AuthError `unavailable` if the work would wait for more than five seconds */
async function enqueue<T>(
  { log }: Pick<Settings, 'log'>,
  rounds: number,
  work: () => Promise<T>,
): Promise<T> {
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
  const [text] = passwordDigests(runtime.sealer, password);
  return enqueue(
    runtime,
    2 ** cost,
    async () => `${currentPrefix(runtime.sealer)}${await bcrypt.hash(text, cost)}`,
  );
};

/** Whether a stored hash has the earlier form, an earlier secret, or a lower cost than the configured cost. */
export const isOutdated = ({ config, sealer }: Settings, stored: string): boolean =>
  !stored.startsWith(currentPrefix(sealer)) ||
  bcrypt.getRounds(readStoredHash(stored).hash) < config.bcryptCost;

/**
 * Whether the normalized password matches the stored hash. Every call does at least the work of the configured cost. So
 * the response time reveals neither whether the account has a hash nor how old the hash is.
 *
 * For a hash with a lower cost c, more comparisons add the missing work: 2^c + 2^c + 2^(c+1) + ... + 2^(cost-1) =
 * 2^cost. A hash with a higher cost takes longer. Such a hash exists only if the configured cost was lowered.
 *
 * @param stored null: the account has no password
 * @throws AuthError `unavailable` if too many passwords wait
 */
export function verifyPassword(runtime: Settings, password: string, stored: string | null): Promise<boolean> {
  const { bcryptCost: cost } = runtime.config;
  const compared = stored ?? `${currentPrefix(runtime.sealer)}${dummyHash(cost)}`;
  const { text, hash, canMatch } = comparisonWith(runtime.sealer, password, compared);
  const comparedCost = bcrypt.getRounds(hash);
  return enqueue(runtime, 2 ** Math.max(comparedCost, cost), async () => {
    const matches = await bcrypt.compare(text, hash);
    for (let extraCost = comparedCost; extraCost < cost; extraCost += 1) {
      await bcrypt.compare(text, dummyHash(extraCost));
    }
    return matches && canMatch && stored !== null;
  });
}

/**
 * Why a password does not match a stored hash, for the audit log. `secret_removed`: JWT_SECRET no longer contains the
 * secret of the hash, so no password matches.
 */
export const mismatchReason = ({ sealer }: Settings, stored: string): 'password_wrong' | 'secret_removed' =>
  hasConfiguredSecret(sealer, stored) ? 'password_wrong' : 'secret_removed';

/** A well-formed bcrypt hash that no text matches. */
const dummyHash = (cost: number) => `$2b$${`${cost}`.padStart(2, '0')}$${'.'.repeat(53)}`;
