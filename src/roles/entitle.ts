import type { Operator } from '../core/actor.ts';
import { sql } from '../db/sql.ts';
import type { Capability } from './capabilities.ts';
import type { Entitled } from './entitled.ts';

type Facts = Pick<Entitled<Capability>, 'actor' | 'reach' | 'stillEntitled' | 'stillSignedIn'>;

/**
 * Makes the proof that an operation asks for. A test of the import graph allows two users of this file: `authorize`,
 * which has checked the capability table, and the operator's entry.
 */
export const entitle = <Name extends Capability, Details extends Facts>(
  _: Name,
  details: Details,
): Entitled<Name> & Details => details as Entitled<Name> & Details;

/** An operator has every capability, and neither a session nor a role that could end. */
export const entitleOperator = <Name extends Capability>(name: Name, actor: Operator): Entitled<Name> =>
  entitle(name, { actor, reach: 'any', stillEntitled: always, stillSignedIn: always });

const always = sql`select 1 as id where true`;
