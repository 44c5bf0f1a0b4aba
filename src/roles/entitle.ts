import type { Operator } from '../core/actor.ts';
import { oneRow } from '../db/sql.ts';
import type { Capability } from './capabilities.ts';
import type { Entitled } from './entitled.ts';

type Facts = Pick<Entitled<Capability>, 'actor' | 'reach' | 'stillEntitled' | 'stillSignedIn'>;

/**
 * Creates the proof that an operation takes. A test of the import graph allows only two files to import this one: that of
 * `authorize`, which checks the capability table first, and that of the operator actions.
 */
export const entitle = <Name extends Capability, Details extends Facts>(
  _: Name,
  details: Details,
): Entitled<Name> & Details => details as Entitled<Name> & Details;

/** Creates the proof for an operator. Operators have every capability, and no session or role that could end. */
export const entitleOperator = <Name extends Capability>(name: Name, actor: Operator): Entitled<Name> =>
  entitle(name, { actor, reach: 'any', stillEntitled: oneRow, stillSignedIn: oneRow });
