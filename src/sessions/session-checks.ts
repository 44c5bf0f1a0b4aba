import type { SignedInActor } from '../core/actor.ts';
import { selectEntitled, selectLiveSession } from './store.ts';

/** The checks that a statement repeats before it changes anything for a signed-in user. See `Entitled`. */
export const sessionChecks = (actor: SignedInActor) => ({
  actor,
  stillEntitled: selectEntitled(actor),
  stillSignedIn: selectLiveSession(actor.session.id),
});
