import { availableParallelism } from 'node:os';
import bcrypt from 'bcrypt';
import pLimit from 'p-limit';
import { second } from '../core/duration.ts';
import { AuthError } from '../core/errors.ts';
import type { Runtime } from '../core/runtime.ts';
import { formatProblem, normalizePassword } from './rules.ts';
import { comparisonWith, currentPrefix, passwordDigests, readStoredHash } from './stored-hash.ts';
import { type ForeignMismatch, foreignVerifier, verifierRetrySeconds } from './verify-foreign.ts';

/**
 * How many passwords the process hashes at the same time. With the default cost, a bcrypt hash occupies one core and
 * one of libuv's four threads for about a quarter of a second. Passkey verification needs these threads, too. The limit
 * keeps one thread free for other requests. On a machine with several cores, it also keeps one core free.
 */
const maxConcurrent = Math.max(1, Math.min(3, availableParallelism() - 1));
const queue = pLimit(maxConcurrent);
const verifyForeign = foreignVerifier(maxConcurrent);
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

const tooMany = 'Too many passwords are being checked.';

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
      message: tooMany,
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

/** Whether a stored hash has another form, an earlier secret, or a lower cost than the configured cost. */
export function isOutdated({ config, sealer }: Settings, stored: string): boolean {
  const read = readStoredHash(stored);
  return (
    read.form !== 'current' ||
    !stored.startsWith(currentPrefix(sealer)) ||
    bcrypt.getRounds(read.hash) < config.bcryptCost
  );
}

/**
 * Why a password does not match a stored hash, for the audit log.
 *
 * - `no_password`: the account has no password
 * - `secret_removed`: JWT_SECRET no longer contains the secret of the hash, so no password matches
 * - `hash_unknown`: the hash is neither of a known form nor of a form that `password.verify` knows
 * - `verify_failed`: `password.verify` threw an error or took too long
 */
export type PasswordMismatch =
  | 'no_password'
  | 'password_wrong'
  | 'secret_removed'
  | Exclude<ForeignMismatch, 'verifier_busy'>;

/**
 * Compares a password with the stored hash. Every call does at least the work of the configured cost. So the response
 * time reveals neither whether the account has a hash nor how old the hash is. There are two exceptions. A hash with a
 * higher cost takes longer: it comes from another system, or the configured cost was lowered. And a `password.verify`
 * that is slower than bcrypt takes longer. So the response time reveals that the account has a hash for this function,
 * and so does the error `unavailable` if too many of its calls are unfinished.
 *
 * For a hash with a lower cost c, more comparisons add the missing work: 2^c + 2^c + 2^(c+1) + ... + 2^(cost-1) =
 * 2^cost.
 *
 * @param stored null: the account has no password
 * @returns null if the password matches
 * @throws AuthError `unavailable` if too many passwords wait, or too many calls of `password.verify` are unfinished
 */
export async function findMismatch(
  runtime: Settings,
  given: string,
  stored: string | null,
): Promise<PasswordMismatch | null> {
  const { bcryptCost: cost } = runtime.config;
  const normalized = normalizePassword(given);
  // Existing passwords can be shorter than the minimum, because other systems allowed them.
  const typed = formatProblem(normalized, 1) === null ? { given, normalized } : null;
  const read = stored === null || typed === null ? null : readStoredHash(stored);
  const [keyId] = runtime.sealer.keyIds('password');
  const decoy = { form: 'current', keyId, hash: dummyHash(cost) } as const;
  const comparable = read === null || read.form === 'foreign' || read.form === 'unknown' ? decoy : read;
  const { text, hash, canMatch } = comparisonWith(runtime.sealer, { given, normalized }, comparable);
  const comparedCost = bcrypt.getRounds(hash);
  // The object keeps `enqueue` from waiting for `foreign`, which can take longer than bcrypt.
  const { foreign, mismatch } = await enqueue(runtime, 2 ** Math.max(comparedCost, cost), async () => {
    // At the same time as bcrypt, so that a faster function does not change the response time.
    const foreign = read?.form === 'foreign' && typed ? verifyForeign(runtime, given, read.hash) : null;
    const matches = await bcrypt.compare(text, hash);
    for (let extraCost = comparedCost; extraCost < cost; extraCost += 1) {
      await bcrypt.compare(text, dummyHash(extraCost));
    }
    const isMatch = matches && canMatch && comparable !== decoy;
    return { foreign, mismatch: isMatch ? null : mismatchOf(runtime, stored) };
  });
  if (foreign === null) return mismatch;
  const found = await foreign;
  if (found !== 'verifier_busy') return found;
  throw new AuthError('unavailable', {
    message: tooMany,
    headers: { 'Retry-After': `${verifierRetrySeconds}` },
  });
}

function mismatchOf({ sealer }: Settings, stored: string | null): PasswordMismatch {
  if (stored === null) return 'no_password';
  const read = readStoredHash(stored);
  if (read.form === 'unknown') return 'hash_unknown';
  const isKeyMissing = read.form === 'current' && !sealer.keyIds('password').includes(read.keyId);
  return isKeyMissing ? 'secret_removed' : 'password_wrong';
}

/** A well-formed bcrypt hash that no text matches. */
const dummyHash = (cost: number) => `$2b$${`${cost}`.padStart(2, '0')}$${'.'.repeat(53)}`;
