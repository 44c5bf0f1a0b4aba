import type { SignedInActor } from '../core/actor.ts';
import { selectEntitled, selectLiveSession } from './store.ts';

/** What a statement checks again before it acts for a signed-in user; see `Entitled`. */
export const sessionChecks = (actor: SignedInActor) => ({
  actor,
  stillEntitled: selectEntitled(actor),
  stillSignedIn: selectLiveSession(actor.session.id),
});
