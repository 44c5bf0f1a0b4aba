import pLimit from 'p-limit';
import { second } from '../core/duration.ts';
import type { Runtime } from '../core/runtime.ts';

const timeoutMs = 5 * second;

/**
 * How many calls of `password.verify` can be unfinished in this process, including calls that took too long. Otherwise,
 * calls that never end would accumulate, each with its memory and its connection to another service.
 */
const maxUnfinished = 30;
let unfinished = 0;
let isOverloadLogged = false;

/** When to retry after `verifier_busy`. */
export const verifierRetrySeconds = timeoutMs / second;

/**
 * Why `password.verify` does not confirm a password.
 *
 * - `hash_unknown`: no function knows the form of the hash
 * - `verify_failed`: the function threw an error or took too long
 * - `verifier_busy`: too many calls are unfinished, so the function was not called
 */
export type ForeignMismatch = 'password_wrong' | 'hash_unknown' | 'verify_failed' | 'verifier_busy';

/**
 * @param maxConcurrent how many calls start before one of them ends or takes too long
 * @returns a function that calls `password.verify`, and that never rejects. Its queue is not the queue of bcrypt, so
 *   that a slow `password.verify` delays only users with hashes that it verifies.
 */
export function foreignVerifier(maxConcurrent: number) {
  const queue = pLimit(maxConcurrent);

  /**
   * Never rejects, because an error response would reveal that the account exists. The timeout includes the time in the
   * queue. After the timeout, another call can start, so a function that never ends does not block the queue.
   *
   * @returns null if the password matches
   */
  return async function verifyForeign(
    { config: { hashVerifier }, log }: Pick<Runtime, 'config' | 'log'>,
    password: string,
    hash: string,
  ): Promise<ForeignMismatch | null> {
    if (hashVerifier === null) return 'hash_unknown';
    let isOver = false;
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        isOver = true;
        reject(new VerifierFault(`no result within ${timeoutMs / second} s`));
      }, timeoutMs);
    });
    try {
      if (!hashVerifier.accepts(hash)) return 'hash_unknown';
      if (isBusy(log)) return 'verifier_busy';
      const call = queue(() => {
        // The sign-in was refused while the call waited.
        if (isOver) return 'not called';
        // Other calls have started while this call waited.
        if (isBusy(log)) return busy;
        return Promise.race([counted(() => hashVerifier.verify(password, hash)), timeout]);
      });
      const matches = await Promise.race([call, timeout]);
      if (matches === busy) return 'verifier_busy';
      if (typeof matches !== 'boolean')
        throw new VerifierFault(`expected true or false, not ${typeof matches}`);
      return matches ? null : 'password_wrong';
    } catch (error) {
      log.error(describeFailure(error), 'password.verify failed, so the sign-in was refused');
      return 'verify_failed';
    } finally {
      clearTimeout(timer);
    }
  };
}

/** Not a value that `password.verify` can return. */
const busy = Symbol('busy');

/** Counts a call until it ends, which can be long after the sign-in was refused. */
async function counted(call: () => unknown): Promise<unknown> {
  unfinished += 1;
  try {
    return await call();
  } finally {
    unfinished -= 1;
    if (unfinished === 0) isOverloadLogged = false;
  }
}

/** Whether no more calls can start. Logged once per overload, because one line per request would flood the log. */
function isBusy(log: Runtime['log']): boolean {
  if (unfinished < maxUnfinished) return false;
  if (!isOverloadLogged)
    log.error(
      { unfinished },
      'too many calls of password.verify do not end; rejecting sign-ins that need it',
    );
  isOverloadLogged = true;
  return true;
}

/** A fault that this file finds. Its message contains neither the password nor the hash. */
class VerifierFault extends Error {}

/**
 * Describes an error of `password.verify` for the log: the name of its class. The message, the stack and the properties
 * can contain the password or the hash.
 */
function describeFailure(error: unknown): { error: string } {
  if (error instanceof VerifierFault) return { error: error.message };
  return { error: error instanceof Error ? error.constructor.name : typeof error };
}
