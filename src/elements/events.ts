import type { AuthClientError, Passkey, Session, SignedIn, SignedUp } from 'latchkey/client';

/** The events of the elements. All of them bubble and leave the shadow tree. */
export interface LatchkeyEvents {
  /** The user has signed in. The details are the account and the session. */
  'latchkey-signed-in': CustomEvent<SignedIn>;
  /** The user has signed up. The details are the account, the passkey and the session. */
  'latchkey-signed-up': CustomEvent<SignedUp>;
  /** The list has read the passkeys of the user. */
  'latchkey-passkeys-loaded': CustomEvent<{ passkeys: readonly Passkey[] }>;
  /**
   * The user wants to add, rename or remove a passkey. After `preventDefault()`, the element does nothing. The page can
   * show its own form or confirmation, and then call `renamePasskey` or `removePasskey`.
   */
  'latchkey-before-passkeys-change': CustomEvent<PasskeyAction>;
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

/** The details of the event `latchkey-before-passkeys-change`. */
export interface PasskeyAction {
  action: 'add' | 'rename' | 'remove';
  /** Null: the user wants to add a passkey. */
  passkey: Passkey | null;
  /** All passkeys of the account, oldest first. */
  passkeys: readonly Passkey[];
}

/** The details of the event `latchkey-passkeys-changed`. */
export interface PasskeysChange {
  change: 'added' | 'renamed' | 'removed';
  passkey: Passkey;
  /** The passkey before it was renamed, so that the page can offer to undo the rename. Null: it was added or removed. */
  previous: Passkey | null;
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
