import type { Session } from './session.ts';
import type { User } from './user.ts';

/** The sender of a request, signed in or not. */
export interface Caller {
  /** The client's address, which TRUST_PROXY determines. Null outside of HTTP. */
  ip: string | null;
  userAgent: string | null;
  /** Links audit events and log lines to a request. */
  requestId: string | null;
  /** The id in the browser-binding cookie. A ceremony must finish in the browser that started it. */
  browser: string | null;
  /** The session token in the request, valid or not. A successful authentication ends its session. */
  sessionToken: string | null;
}

/** A caller with a live session. */
export interface SignedInActor extends Caller {
  user: User;
  session: Session;
}

/** An operator: runs code or the terminal program on the service's machine, without a session. */
export interface Operator extends Caller {
  /** The operator's name in the audit log. */
  operator: string;
}

/** A caller, signed in or not, or an operator. */
export type Actor = Caller | SignedInActor | Operator;

/** Narrows an actor to one with a session. */
export const isSignedIn = (actor: Actor): actor is SignedInActor => 'session' in actor;

/** Narrows an actor to an operator. */
export const isOperator = (actor: Actor): actor is Operator => 'operator' in actor;

/** Creates an operator. @throws TypeError for a name with control characters, empty or longer than 64 characters */
export function operatorNamed(operator: string): Operator {
  if (!/^\P{Cc}{1,64}$/u.test(operator))
    throw new TypeError('operator: expected 1 to 64 characters without control characters');
  return { operator, ip: null, userAgent: null, requestId: null, browser: null, sessionToken: null };
}
