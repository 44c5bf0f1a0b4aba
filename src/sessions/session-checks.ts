import type { SignedInActor } from '../core/actor.ts';
import { selectEntitled, selectLiveSession } from './store.ts';

/** Statements repeat these checks before they change anything for a signed-in user. See `Entitled`. */
export const sessionChecks = (actor: SignedInActor) => ({
  actor,
  stillEntitled: selectEntitled(actor),
  stillSignedIn: selectLiveSession(actor.session.id),
});
