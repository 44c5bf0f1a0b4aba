import { WebAuthnAbortService } from '@simplewebauthn/browser';
import { type ClientErrorCode, clientError } from './errors.ts';

/**
 * One ceremony's access to WebAuthn. A browser runs one ceremony at a time, and a new ceremony cancels the running one.
 * Ceremonies without a click (autofill, conditional create) give way to those the user asked for.
 */
export interface Turn {
  /** False if a ceremony that takes precedence started since this turn was taken, or is about to start. */
  canContinue(): boolean;
  /**
   * Runs the ceremony in the browser and cancels the one that runs there.
   *
   * @throws AuthClientError `ceremony_canceled` | `passkey_exists` | `insecure_context` | `ceremony_failed`
   */
  perform<T>(ceremony: () => Promise<T>): Promise<T>;
  /** Cancels the ceremony if the browser is running it. */
  end(): void;
  /** Must be called when the ceremony is over, also if it never started. */
  release(): void;
}

let running: Turn | null = null;
/** Dialogs that are open, or waiting for their options. */
let pendingDialogs = 0;
/** Ceremonies, other than autofill, that the browser has started. */
let startedCount = 0;
let autofillCount = 0;
/** Settles when the latest autofill ceremony is running in the browser. */
let autofillRunning: Promise<unknown> = Promise.resolve();

export function takeTurn(kind: 'dialog' | 'autofill' | 'conditional-create'): Turn {
  const startedBefore = startedCount;
  if (kind === 'dialog') pendingDialogs += 1;
  if (kind === 'autofill') autofillCount += 1;
  const latestAutofill = autofillCount;
  const isLatestAutofill = () => autofillCount === latestAutofill;
  const turn: Turn = {
    canContinue: () =>
      pendingDialogs === 0 &&
      startedCount === startedBefore &&
      (kind === 'conditional-create' || isLatestAutofill()),
    async perform(ceremony) {
      if (kind !== 'autofill') startedCount += 1;
      running = turn;
      try {
        return await ceremony();
      } catch (cause) {
        throw clientError(codeOf(cause), { cause });
      } finally {
        if (running === turn) running = null;
      }
    },
    end() {
      if (running === turn) WebAuthnAbortService.cancelCeremony();
    },
    release() {
      if (kind === 'dialog') pendingDialogs -= 1;
    },
  };
  return turn;
}

/** Records when the autofill ceremony starts: `startAuthentication` queries the browser before it starts one. */
export function noteAutofillStart(started: Promise<unknown>): void {
  autofillRunning = started.catch(() => {});
}

/** Other ceremonies wait for this. A ceremony that starts before the autofill ceremony would be canceled by it. */
export const autofillStarted = (): Promise<unknown> => autofillRunning;

/** Maps the browser's exception, whose name the library keeps (WebAuthn 5.1.3 and 5.1.4). */
function codeOf(error: unknown): ClientErrorCode {
  switch (error instanceof Error ? error.name : '') {
    case 'NotAllowedError':
    case 'AbortError':
      return 'ceremony_canceled';
    case 'InvalidStateError':
      return 'passkey_exists';
    case 'SecurityError':
      return 'insecure_context';
    default:
      return 'ceremony_failed';
  }
}
