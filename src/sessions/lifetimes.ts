import { inspect } from 'node:util';
import type { Configuration } from '../core/config.ts';
import type { Lifetimes } from '../core/config-lifetimes.ts';
import type { SessionRequest } from '../core/request-facts.ts';
import type { Runtime } from '../core/runtime.ts';
import type { SessionKind } from '../core/session.ts';
import { type Role, roles } from '../core/user.ts';

type LifetimeSettings = Pick<
  Configuration,
  'sessionLifetimes' | 'lifetimeFunctions' | 'sessionTtlSeconds' | 'sessionIdleTimeoutSeconds'
>;

// Long enough to find another device and create a passkey on it.
const recoverySeconds = 60 * 60;
const shortestTtlSeconds = 5;

/** The longest lifetime of an impersonated session. */
export const impersonatedSeconds = 60 * 60;

/** Returns the lifetimes of an impersonated session: at most an hour, even if the impersonator keeps using it. */
export const impersonatedLifetimes = ({ ttlSeconds, idleSeconds }: Lifetimes): Lifetimes => ({
  ttlSeconds: Math.min(impersonatedSeconds, ttlSeconds),
  idleSeconds: Math.min(impersonatedSeconds, idleSeconds),
});

/** The longest lifetime of a session of this kind under any configuration. */
export const longestSeconds = (kind: SessionKind): number =>
  kind === 'recovery' ? recoverySeconds : Number.POSITIVE_INFINITY;

/**
 * Returns the lifetimes of a session of this kind and role. A recovery session lives for at most an hour.
 *
 * @param request the request that opens or renews the session; null: see `lifetimesOfNewRole`
 * @throws TypeError if a function in `sessionLifetimes` does not return an allowed whole number
 */
export function lifetimesOf(
  kind: SessionKind,
  role: Role,
  config: LifetimeSettings,
  request: SessionRequest | null,
): Lifetimes {
  const chosen = (key: keyof Lifetimes): number => {
    const defaultSeconds = config.sessionLifetimes[role][key];
    const choose = config.lifetimeFunctions[key];
    if (!choose) return defaultSeconds;
    const { min, max } = rangesOf(config)[key];
    const seconds: unknown = choose({ role, kind, request, defaultSeconds });
    if (Number.isInteger(seconds) && (seconds as number) >= min && (seconds as number) <= max)
      return seconds as number;
    throw new TypeError(
      `sessionLifetimes.${key}: expected a whole number of seconds from ${min} to ${max}, ` +
        `but the function returned ${inspect(seconds).slice(0, 100)} for the role ${role}`,
    );
  };
  const ttlSeconds = Math.min(longestSeconds(kind), chosen('ttlSeconds'));
  return { ttlSeconds, idleSeconds: Math.min(ttlSeconds, chosen('idleSeconds')) };
}

/**
 * Returns the lifetimes to which a change of role shortens the sessions of the user. If a function in
 * `sessionLifetimes` fails, logs the error and returns the lifetimes without the functions, because a mistake in a
 * function must not prevent a demotion.
 */
export function lifetimesOfNewRole(role: Role, { config, log }: Pick<Runtime, 'config' | 'log'>): Lifetimes {
  try {
    return lifetimesOf('full', role, config, null);
  } catch (err) {
    log.error({ err }, 'a function in sessionLifetimes failed, so the role changes without it');
    return lifetimesOf('full', role, { ...config, lifetimeFunctions: {} }, null);
  }
}

/** The values that the functions in `sessionLifetimes` can return. */
const rangesOf = (config: LifetimeSettings): Record<keyof Lifetimes, { min: number; max: number }> => ({
  ttlSeconds: { min: shortestTtlSeconds, max: config.sessionTtlSeconds },
  // A session must not expire between two recorded uses.
  idleSeconds: { min: Math.ceil(4 * touchSeconds(config)), max: config.sessionIdleTimeoutSeconds },
});

/**
 * Returns the longest lifetimes that a session of this role can have, as a limit for checks that do not know the
 * request.
 */
export function longestLifetimes(role: Role, config: LifetimeSettings): Lifetimes {
  const { sessionLifetimes, lifetimeFunctions, sessionTtlSeconds, sessionIdleTimeoutSeconds } = config;
  const { ttlSeconds, idleSeconds } = sessionLifetimes[role];
  return {
    ttlSeconds: lifetimeFunctions.ttlSeconds ? sessionTtlSeconds : ttlSeconds,
    idleSeconds: lifetimeFunctions.idleSeconds ? sessionIdleTimeoutSeconds : idleSeconds,
  };
}

/** Returns the lifetime of the session cookie. The session itself can expire earlier. */
export const cookieSeconds = (kind: SessionKind, role: Role, config: LifetimeSettings): number =>
  Math.min(longestSeconds(kind), longestLifetimes(role, config).ttlSeconds);

/** The shortest time between two recorded uses of a session: a minute, or less if an idle timeout is short. */
export const touchSeconds = ({ sessionLifetimes }: Pick<Configuration, 'sessionLifetimes'>): number =>
  Math.min(60, ...roles.map((role) => sessionLifetimes[role].idleSeconds / 4));
