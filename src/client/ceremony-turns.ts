import { WebAuthnAbortService } from '@simplewebauthn/browser';
import { type ClientErrorCode, clientError } from './errors.ts';

/**
 * A browser runs one WebAuthn ceremony at a time, and a new one ends the one under way. What comes without a click, an
 * offer in a field's suggestions or a passkey that is made quietly, stands back for what a person has asked for.
 */
export interface Turn {
  /** Whether nothing that a person has asked for came in between, or is about to. */
  mayGoOn(): boolean;
  /** Runs it in the browser, where it takes the place of what runs there. @throws AuthClientError */
  perform<T>(ceremony: () => Promise<T>): Promise<T>;
  /** Ends it, if it is what the browser runs just now. */
  end(): void;
  /** To be called when all is over, whether it came to a ceremony or not. */
  leave(): void;
}

let running: Turn | null = null;
/** Dialogs that are open, or will be once their options have come. */
let dialogs = 0;
/** How many ceremonies the browser has begun that take the place of an offer. */
let performed = 0;
let offers = 0;
/** Settles once the offer under way has taken its place in the browser. */
let placed: Promise<unknown> = Promise.resolve();

export function takeTurn(kind: 'dialog' | 'offer' | 'quiet'): Turn {
  const before = performed;
  if (kind === 'dialog') dialogs += 1;
  if (kind === 'offer') offers += 1;
  const newest = offers;
  const turn: Turn = {
    mayGoOn: () => dialogs === 0 && performed === before && (kind === 'quiet' || offers === newest),
    async perform(ceremony) {
      if (kind !== 'offer') performed += 1;
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
    leave() {
      if (kind === 'dialog') dialogs -= 1;
    },
  };
  return turn;
}

/** Says when the offer that has just been performed takes its place: the library asks the browser something before. */
export function noteOffer(takesPlace: Promise<unknown>): void {
  placed = takesPlace.catch(() => {});
}

/** Before that, no other ceremony would end the offer: it would end the other. */
export const offerPlaced = (): Promise<unknown> => placed;

/** The library keeps the name of the browser's own exception (WebAuthn 5.1.3 and 5.1.4 list them). */
function codeOf(error: unknown): ClientErrorCode {
  switch (error instanceof Error ? error.name : '') {
    case 'NotAllowedError':
    case 'AbortError':
      return 'ceremony_cancelled';
    case 'InvalidStateError':
      return 'passkey_exists';
    case 'SecurityError':
      return 'insecure_context';
    default:
      return 'ceremony_failed';
  }
}
