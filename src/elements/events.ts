import type { AuthClientError, Passkey, Session, SignedIn, SignedUp } from '../client/index.ts';

/** The events of the elements. All of them bubble and leave the shadow tree. */
export interface LatchkeyEvents {
  /** The user has signed in. The details are the account and the session. */
  'latchkey-signed-in': CustomEvent<SignedIn>;
  /** The user has signed up. The details are the account, the passkey and the session. */
  'latchkey-signed-up': CustomEvent<SignedUp>;
  /** The user has added, renamed or removed a passkey. */
  'latchkey-passkeys-changed': CustomEvent<PasskeysChange>;
  /** The user has confirmed their identity. */
  'latchkey-confirmed': CustomEvent<{ session: Session }>;
  /** The user has closed the step-up without confirming their identity. */
  'latchkey-canceled': CustomEvent<null>;
  /**
   * An action failed or was canceled. The element explains the error, unless a listener calls `preventDefault()`.
   */
  'latchkey-failed': CustomEvent<LatchkeyFailure>;
}

/** The details of the event `latchkey-passkeys-changed`. */
export interface PasskeysChange {
  change: 'added' | 'renamed' | 'removed';
  passkey: Passkey;
  /** All passkeys of the account after the change, oldest first. */
  passkeys: readonly Passkey[];
}

/** The details of the event `latchkey-failed`. */
export interface LatchkeyFailure {
  /** Usually an {@link AuthClientError}. */
  error: AuthClientError | Error;
}

declare global {
  interface HTMLElementEventMap extends LatchkeyEvents {}
}
