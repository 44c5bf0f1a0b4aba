import type { Session } from './session.ts';
import type { User } from './user.ts';

/** What arrived with a request, whoever sent it. */
export interface Caller {
  /** The client's address as configured by TRUST_PROXY, or null outside HTTP. */
  ip: string | null;
  userAgent: string | null;
  /** Ties audit rows and log lines to one request. */
  requestId: string | null;
  /** The id in the browser-binding cookie; a ceremony is finished by the browser that began it. */
  browser: string | null;
  /** The session token that was presented, valid or not; a successful authentication kills it. */
  sessionToken: string | null;
}

/** A caller with a live session. */
export interface SignedInActor extends Caller {
  user: User;
  session: Session;
}

/** Somebody at the service's own machine: the operating system vouches for them, and no session is asked for. */
export interface Operator extends Caller {
  /** What the system, or the program that acts for them, calls them. */
  operator: string;
}

/** Who acts: a caller, signed in or not, or an operator. */
export type Actor = Caller | SignedInActor | Operator;

/** Narrows an actor to one with a session. */
export const isSignedIn = (actor: Actor): actor is SignedInActor => 'session' in actor;

/** Narrows an actor to an operator. */
export const isOperator = (actor: Actor): actor is Operator => 'operator' in actor;

/** An operator by name, who came by no request. @throws TypeError for a name that the audit log could not show */
export function operatorNamed(operator: string): Operator {
  if (!/^\P{Cc}{1,64}$/u.test(operator))
    throw new TypeError('operator: expected 1 to 64 characters, none of control');
  return { operator, ip: null, userAgent: null, requestId: null, browser: null, sessionToken: null };
}
