import type { CurrentSession } from 'latchkey/client';

export type AccountState =
  | { status: 'loading' }
  | { status: 'failed'; error: unknown }
  /** `endedFor`: the username of the session that ended while the page was open. */
  | { status: 'signed-out'; endedFor?: string }
  | ({ status: 'signed-in' } & CurrentSession);

/** What the pages know about the account of this browser. */
export interface AccountView {
  state: AccountState;
  /**
   * Whether the session has ended while the page stays open, because the user typed something. `state` is then still
   * the last signed-in state. See SessionEnded.
   */
  hasEnded: boolean;
  /** Changes if another user signs in after the session has ended. The pages then discard the previous user's data. */
  userGeneration: number;
}

export const firstView: AccountView = { state: { status: 'loading' }, hasEnded: false, userGeneration: 0 };

/** The view after the session has been read. @param hasTyped whether a field of the page contains typed text */
export function viewAfter(view: AccountView, next: AccountState, hasTyped: boolean): AccountView {
  const { state, userGeneration } = view;
  // Keeps `endedFor`.
  if (state.status === 'signed-out' && next.status === 'signed-out') return view;
  if (state.status !== 'signed-in') return { ...view, state: next, hasEnded: false };
  // If a read fails, a signed-in user stays on the page. Their next action reports the error.
  if (next.status === 'failed') return view;
  if (next.status === 'signed-in') {
    const isSameUser = next.user.id === state.user.id;
    // Another user signed in, in another tab, while this page still shows what the previous user typed.
    const generation = view.hasEnded && !isSameUser ? userGeneration + 1 : userGeneration;
    return { state: next, hasEnded: false, userGeneration: generation };
  }
  if (!canContinue(state)) return { ...view, state: next, hasEnded: false };
  // The page stays even if a later read finds no typed text, because the user decides when to leave it.
  return hasTyped || view.hasEnded ? { ...view, hasEnded: true } : left(view);
}

/** Whether a sign-in can continue the session. Recoveries and impersonations can start only on their own pages. */
const canContinue = ({ session }: CurrentSession): boolean =>
  session.kind === 'full' && session.impersonator === null;

/** The view after the user has left a page whose session has ended. */
export const left = (view: AccountView): AccountView =>
  view.state.status === 'signed-in'
    ? { ...view, state: { status: 'signed-out', endedFor: view.state.user.username }, hasEnded: false }
    : view;
