import type { Operator, SignedInActor } from '../core/actor.ts';
import type { Sql } from '../db/sql.ts';
import type { Capability } from './capabilities.ts';

/** Which resources a capability covers: every resource, or those of the organizations that this user manages. */
export type Reach = 'any' | { managedBy: string };

declare const capability: unique symbol;

/**
 * Proof that an actor has a capability. An operation that needs a capability takes this value, so a call without a
 * check does not compile. Only `authorize` and the operator actions create a proof (see `entitle.ts`).
 */
export interface Entitled<Name extends Capability> {
  readonly actor: SignedInActor | Operator;
  readonly reach: Reach;
  /**
   * Repeats the check inside the operation's statement. Selects a row if the actor still has the session, the role and
   * the membership that the first check found. More conditions can follow with `and`.
   */
  readonly stillEntitled: Sql;
  /** Selects a row if the actor still has the session. */
  readonly stillSignedIn: Sql;
  /** Selects a row if the actor still has the session, and the session is privileged if the capability needs that. */
  readonly stillPrivileged: Sql;
  readonly [capability]: Name;
}
