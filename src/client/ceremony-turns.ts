import { WebAuthnAbortService } from '@simplewebauthn/browser';
import { type ClientErrorCode, clientError } from './errors.ts';

/**
 * Coordinates one WebAuthn ceremony with the others. A browser runs one ceremony at a time, so a new ceremony cancels
 * the running ceremony. Dialogs take precedence, because the user asked for them. The page itself starts autofill and
 * conditional create (a new passkey without a prompt).
 */
export interface Turn {
  /** False if a dialog is open or waits for its options, or if a later ceremony has replaced this ceremony. */
  canContinue(): boolean;
  /**
   * Runs the ceremony in the browser. The browser then cancels the ceremony that was running.
   *
   * @throws AuthClientError `ceremony_canceled` | `passkey_exists` | `insecure_context` | `ceremony_failed`
   */
  perform<T>(ceremony: () => Promise<T>): Promise<T>;
  /** Cancels the ceremony if the browser is running it. */
  end(): void;
  /**
   * Must be called at the end of a dialog's turn, even if the ceremony never started. Has no effect on the turns of
   * autofill and conditional create.
   */
  release(): void;
}

let running: Turn | null = null;
/** The number of dialogs that are open or wait for their options. */
let pendingDialogs = 0;
/** The number of ceremonies, except autofill, that have started. */
let startedCount = 0;
/** The number of autofill turns so far. Only the latest autofill ceremony continues. */
let autofillCount = 0;
/** Resolves when the browser has started the latest autofill ceremony. */
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

/** @param started resolves when the browser has started the autofill ceremony */
export function noteAutofillStart(started: Promise<unknown>): void {
  autofillRunning = started.catch(() => {});
}

/** Other ceremonies wait for this promise. Otherwise, an autofill ceremony that starts late would cancel them. */
export const autofillStarted = (): Promise<unknown> => autofillRunning;

/** Maps the name of a browser exception to a code (WebAuthn 5.1.3 and 5.1.4). SimpleWebAuthn keeps the name. */
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
