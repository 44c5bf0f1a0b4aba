import { provePasskey } from './ceremonies.ts';
import { AuthClientError, clientError, hasCode } from './errors.ts';
import { requestOptions } from './options.ts';
import { type Send, unwrap } from './requests.ts';
import type { Session } from './types.ts';

/** The result of {@link AuthClientOptions.beforeStepUp}. */
export type StepUpAnswer = boolean | 'done';

/**
 * Why a call needs a step-up. `passkey_required`: the user authenticated with a password, and the call needs a passkey.
 * `reauthentication_required`: the last authentication is too old.
 */
export type StepUpReason = 'passkey_required' | 'reauthentication_required';

/** The options of {@link AuthClient.stepUp}. */
export interface StepUpOptions {
  password?: string | undefined;
  signal?: AbortSignal | undefined;
  userId?: string | undefined;
}

const stepUpReasons: readonly StepUpReason[] = ['passkey_required', 'reauthentication_required'];

/** A running step-up. Concurrent calls share it, so that the user sees one prompt. */
interface SharedStepUp {
  done: Promise<void>;
  controller: AbortController;
  /** The number of calls that wait for the step-up. */
  waiting: number;
}

/**
 * Returns a function that sends a request. If the request fails because it needs a step-up, the function runs a step-up
 * and repeats the request.
 */
export function repeatAfterStepUp(
  sendOnce: Send,
  ask: ((reason: StepUpReason) => Promise<StepUpAnswer>) | undefined,
  stepUp: (signal: AbortSignal) => Promise<unknown>,
): Send {
  const authenticate = async (reason: StepUpReason, signal: AbortSignal) => {
    const answer = ask ? await ask(reason) : true;
    if (answer === false) throw clientError('ceremony_canceled');
    if (answer === true) await stepUp(signal);
  };
  let shared: SharedStepUp | null = null;
  const join = (reason: StepUpReason): SharedStepUp => {
    // A step-up is aborted as soon as no call waits for it. The next call then starts a new step-up.
    if (shared && !shared.controller.signal.aborted) return shared;
    const controller = new AbortController();
    const begun = { done: authenticate(reason, controller.signal), controller, waiting: 0 };
    shared = begun;
    return begun;
  };
  return async (...request) => {
    try {
      return await sendOnce(...request);
    } catch (error) {
      const reason = stepUpReasons.find((code) => hasCode(error, code));
      if (reason === undefined) throw error;
      await waitFor(join(reason), request[2]?.signal);
      return sendOnce(...request);
    }
  };
}

/** Waits until the step-up ends or the signal aborts. After an abort, closes the prompt if no other call waits. */
async function waitFor(stepUp: SharedStepUp, signal: AbortSignal | undefined): Promise<void> {
  stepUp.waiting += 1;
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(clientError('aborted', { cause: signal?.reason }));
    signal?.addEventListener('abort', stop);
  });
  try {
    if (signal?.aborted) stop();
    await Promise.race([stepUp.done, aborted]);
  } finally {
    signal?.removeEventListener('abort', stop);
    stepUp.waiting -= 1;
    if (stepUp.waiting === 0) stepUp.controller.abort();
  }
}

/** Authenticates the user of this browser again. Rejects if `userId` is given and is not the signed-in user. */
export async function stepUp(
  send: Send,
  readUser: () => Promise<{ id: string } | undefined>,
  { password, signal, userId }: StepUpOptions,
): Promise<Session> {
  const session = await (password === undefined
    ? stepUpWithPasskey(send, signal)
    : stepUpWithPassword(send, password, signal));
  if (userId === undefined || (await readUser())?.id === userId) return session;
  throw new AuthClientError('not_authenticated', 'Another user has signed in.', {
    nextStep: 'Reload the page.',
    reason: 'another_user',
  });
}

export async function stepUpWithPasskey(send: Send, signal: AbortSignal | undefined): Promise<Session> {
  const start = (aborted: AbortSignal | undefined) =>
    requestOptions(send, '/passkey/stepup/start', {}, aborted);
  const { credential } = await provePasskey(start, signal);
  return unwrap(await send('POST', '/passkey/stepup/verify', { body: { credential } }), 'session');
}

async function stepUpWithPassword(
  send: Send,
  password: string,
  signal: AbortSignal | undefined,
): Promise<Session> {
  return unwrap(await send('POST', '/password/stepup', { body: { password }, signal }), 'session');
}
