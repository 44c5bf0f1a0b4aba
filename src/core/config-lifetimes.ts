import type { FaultList, Given } from './config-fault.ts';
import { readNumber } from './config-values.ts';
import type { SessionRequest } from './request-facts.ts';
import type { SessionKind } from './session.ts';
import { type Role, roles } from './user.ts';

/** How long sessions live, in seconds. */
export interface Lifetimes {
  /** From the sign-in to the absolute expiry. */
  ttlSeconds: number;
  /** From the last use to the idle expiry. */
  idleSeconds: number;
}

/** What a function in `sessionLifetimes` gets. */
export interface LifetimeContext {
  /** The role of the user. */
  readonly role: Role;
  readonly kind: SessionKind;
  /**
   * The request that opens the session, or that renews it with a step-up. Null: a change of role shortens the sessions
   * of the user.
   */
  readonly request: SessionRequest | null;
  /** The lifetime without the function, in seconds. */
  readonly defaultSeconds: number;
}

/**
 * Returns a lifetime in seconds, a whole number. For any other value, the request fails with `internal_error`. A change of
 * role does not fail: it logs the error and uses the lifetimes without the functions.
 */
export type LifetimeFunction = (context: LifetimeContext) => number;

/** The functions in `sessionLifetimes`. */
export type LifetimeFunctions = { readonly [Key in keyof Lifetimes]?: LifetimeFunction };

/**
 * The option `sessionLifetimes`. If a value is missing, the variable of the role applies, or else its default. The
 * functions `ttlSeconds` and `idleSeconds` choose the lifetime of each new session.
 */
export type LifetimeOptions = { readonly [R in Role]?: Partial<Lifetimes> } & LifetimeFunctions;

/** The variables of the roles whose sessions are shorter by default. */
export const lifetimeVariables = {
  admin: { ttlSeconds: 'ADMIN_SESSION_TTL', idleSeconds: 'ADMIN_SESSION_IDLE_TIMEOUT' },
  superadmin: { ttlSeconds: 'SUPERADMIN_SESSION_TTL', idleSeconds: 'SUPERADMIN_SESSION_IDLE_TIMEOUT' },
} as const;

// NIST SP 800-63B-4, 2.2.3 (AAL2): at most 24 hours, and at most one hour without activity.
const defaults = { ttlSeconds: 86_400, idleSeconds: 3600 };
const ranges = {
  ttlSeconds: { unit: 'seconds', min: 5, max: 31_536_000 },
  idleSeconds: { unit: 'seconds', min: 2, max: 31_536_000 },
};

/**
 * Reads the lifetimes of each role. The lifetimes for all sessions (`sessionTtlSeconds`,
 * `sessionIdleTimeoutSeconds`) are the maximum for every role.
 */
export function readLifetimes(
  faults: FaultList,
  options: LifetimeOptions | undefined,
  env: Readonly<Record<string, string | undefined>>,
  most: Lifetimes,
): Readonly<Record<Role, Lifetimes>> {
  const read = (role: Role, key: keyof Lifetimes): number => {
    const byDefault = role === 'user' ? most[key] : defaults[key];
    return readNumber(faults, givenFor(role, key, options, env), { ...ranges[key], byDefault });
  };
  const lifetimes = roles.map((role) => {
    const ttlSeconds = Math.min(most.ttlSeconds, read(role, 'ttlSeconds'));
    const idleSeconds = Math.min(most.idleSeconds, ttlSeconds, read(role, 'idleSeconds'));
    return [role, { ttlSeconds, idleSeconds }] as const;
  });
  return Object.fromEntries(lifetimes) as Record<Role, Lifetimes>;
}

function givenFor(
  role: Role,
  key: keyof Lifetimes,
  options: LifetimeOptions = {},
  env: Readonly<Record<string, string | undefined>>,
): Given {
  const option = options[role]?.[key];
  if (role === 'user' || option !== undefined)
    return { name: `sessionLifetimes.${role}.${key}`, text: option === undefined ? undefined : `${option}` };
  const name = lifetimeVariables[role][key];
  return { name, text: env[name]?.trim() || undefined };
}

/** Reads the functions in `sessionLifetimes`. */
export function readLifetimeFunctions(faults: FaultList, options: LifetimeOptions = {}): LifetimeFunctions {
  const functions = Object.entries(options).filter(([name]) => !roles.some((role) => role === name));
  for (const [name, value] of functions) {
    if (name in ranges && value !== undefined && typeof value !== 'function')
      faults.add(`sessionLifetimes.${name}`, `${value}`, variesBy[name as keyof Lifetimes]);
  }
  return Object.fromEntries(functions.filter(([, value]) => value !== undefined));
}

const variesBy: Record<keyof Lifetimes, string> = {
  ttlSeconds: 'a function; for one value, use sessionTtlSeconds or sessionLifetimes.<role>.ttlSeconds',
  idleSeconds:
    'a function; for one value, use sessionIdleTimeoutSeconds or sessionLifetimes.<role>.idleSeconds',
};
