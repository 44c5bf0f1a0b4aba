import type { Operator, SignedInActor } from '../core/actor.ts';
import type { Sql } from '../db/sql.ts';
import type { Capability } from './capabilities.ts';

/** Which resources a capability covers: every one, or those of the organizations that one user is an admin of. */
export type Reach = 'any' | { managedBy: string };

declare const capability: unique symbol;

/**
 * Proof that an actor has a capability. An operation that needs the capability takes this value, so calling it without
 * a check is a compile error. Only `authorize` and the operator actions create it (see `entitle.ts`).
 */
export interface Entitled<Name extends Capability> {
  readonly actor: SignedInActor | Operator;
  readonly reach: Reach;
  /**
   * Repeats the check inside the operation's statement: a row while the actor is still entitled. A user who has just lost
   * the session, the role or the membership gets no row. Conditions can be appended with `and`.
   */
  readonly stillEntitled: Sql;
  /** A row while the actor is still signed in. */
  readonly stillSignedIn: Sql;
  readonly [capability]: Name;
}
