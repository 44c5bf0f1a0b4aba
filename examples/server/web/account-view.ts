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
  /** Changes if another user or an impersonator takes over. The pages then discard the previous user's data. */
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
    // In another tab, another user signed in, or an impersonation started. The page still shows the previous user's data.
    const generation = isSamePerson(next, state) ? userGeneration : userGeneration + 1;
    return { state: next, hasEnded: false, userGeneration: generation };
  }
  if (!canContinue(state)) return { ...view, state: next, hasEnded: false };
  // The page stays even if a later read finds no typed text, because the user decides when to leave it.
  return hasTyped || view.hasEnded ? { ...view, hasEnded: true } : left(view);
}

/** Whether both sessions belong to the same user and are used by the same person. */
const isSamePerson = (one: CurrentSession, other: CurrentSession): boolean =>
  one.user.id === other.user.id &&
  one.session.impersonator?.type === other.session.impersonator?.type &&
  one.session.impersonator?.id === other.session.impersonator?.id;

/** Whether a sign-in can continue the session. Recoveries and impersonations can start only on their own pages. */
const canContinue = ({ session }: CurrentSession): boolean =>
  session.kind === 'full' && session.impersonator === null;

/** The view after the user has left a page whose session has ended. */
export const left = (view: AccountView): AccountView =>
  view.state.status === 'signed-in'
    ? { ...view, state: { status: 'signed-out', endedFor: view.state.user.username }, hasEnded: false }
    : view;
