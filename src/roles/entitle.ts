import type { Operator } from '../core/actor.ts';
import { oneRow } from '../db/sql.ts';
import type { Capability } from './capabilities.ts';
import type { Entitled } from './entitled.ts';

type Facts = Pick<
  Entitled<Capability>,
  'actor' | 'reach' | 'stillEntitled' | 'stillSignedIn' | 'stillPrivileged'
>;

/**
 * Creates the proof of a capability. Operations take this proof as a parameter. Only `authorize` and the operator
 * actions can import this file, and a test of the import graph checks this. `authorize` checks the capability table
 * before it creates a proof.
 */
export const entitle = <Name extends Capability, Details extends Facts>(
  _: Name,
  details: Details,
): Entitled<Name> & Details => details as Entitled<Name> & Details;

/**
 * Creates the proof for an operator. Operators have every capability. They have no session and no role, so the checks
 * inside statements always succeed.
 */
export const entitleOperator = <Name extends Capability>(name: Name, actor: Operator): Entitled<Name> =>
  entitle(name, {
    actor,
    reach: 'any',
    stillEntitled: oneRow,
    stillSignedIn: oneRow,
    stillPrivileged: oneRow,
  });
