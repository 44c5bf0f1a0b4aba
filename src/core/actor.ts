import type { Session } from './session.ts';
import type { User } from './user.ts';

/** The sender of a request, signed in or not. */
export interface Caller {
  /** The IP address, which depends on TRUST_PROXY behind a proxy. Null outside of HTTP. */
  ip: string | null;
  userAgent: string | null;
  /** Audit events and log lines contain this id, so that they can be found by request. */
  requestId: string | null;
  /** The id in the browser-binding cookie. A ceremony can finish only in the browser that started the ceremony. */
  browser: string | null;
  /** The session token in the request, valid or not. A sign-in ends the session of this token and opens a new one. */
  sessionToken: string | null;
}

/** A caller with a live session. */
export interface SignedInActor extends Caller {
  user: User;
  session: Session;
}

/** A user of the `latchkey` command or of the operator actions in the application's code. Has no session. */
export interface Operator extends Caller {
  /** The name in the audit log. */
  operator: string;
}

/** A signed-out caller, a signed-in caller, or an operator. */
export type Actor = Caller | SignedInActor | Operator;

export const isSignedIn = (actor: Actor): actor is SignedInActor => 'session' in actor;

export const isOperator = (actor: Actor): actor is Operator => 'operator' in actor;

/** @throws TypeError if the name is empty, is longer than 64 characters, or contains control characters */
export function operatorNamed(operator: string): Operator {
  if (!/^\P{Cc}{1,64}$/u.test(operator))
    throw new TypeError('operator: expected 1 to 64 characters without control characters');
  return { operator, ip: null, userAgent: null, requestId: null, browser: null, sessionToken: null };
}
