import type { SessionRequest } from './request-facts.ts';
import type { Session } from './session.ts';
import type { User } from './user.ts';

/** The sender of a request, signed in or not. */
export interface Caller {
  /** The IP address of the client. Behind a proxy, TRUST_PROXY must be set. Null outside of HTTP. */
  ip: string | null;
  userAgent: string | null;
  /** The id of the request in audit events and log lines. Null outside of HTTP. */
  requestId: string | null;
  /** The id in the browser-binding cookie. A ceremony can finish only in the browser that started the ceremony. */
  browser: string | null;
  /** The session token in the request, valid or not. A successful sign-in ends the session that has this token. */
  sessionToken: string | null;
  /** For the functions in `sessionLifetimes`. Null outside of HTTP. */
  request: SessionRequest | null;
}

/** A caller with a live session. */
export interface SignedInActor extends Caller {
  user: User;
  session: Session;
  /** As in `ReadSession`. */
  privileged: boolean;
}

/** The actor of the `latchkey` command, and of operator actions in the application's code. Has no session. */
export interface Operator extends Caller {
  /** The name in the audit log. */
  operator: string;
}

/** The actor of actions without a request, such as housekeeping. */
export interface System extends Caller {
  system: true;
}

/** A signed-out caller, a signed-in caller, an operator, or the service itself. */
export type Actor = Caller | SignedInActor | Operator | System;

export const isSignedIn = (actor: Actor): actor is SignedInActor => 'session' in actor;

export const isOperator = (actor: Actor): actor is Operator => 'operator' in actor;

export const isSystem = (actor: Actor): actor is System => 'system' in actor;

const outsideOfHttp: Caller = {
  ip: null,
  userAgent: null,
  requestId: null,
  browser: null,
  sessionToken: null,
  request: null,
};

export const system: System = { system: true, ...outsideOfHttp };

/** @throws TypeError if the name is empty, is longer than 64 characters, or contains control characters */
export function operatorNamed(operator: string): Operator {
  if (!/^\P{Cc}{1,64}$/u.test(operator))
    throw new TypeError('operator: expected 1 to 64 characters without control characters');
  return { operator, ...outsideOfHttp };
}
