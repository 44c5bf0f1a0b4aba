import { describe } from '../core/known-options.ts';
import type { AuthService } from './types.ts';

const missingAwait = 'createAuthService returns a promise. Write: const auth = await createAuthService(…)';

/** Says why a value is not a service, and what to write instead. */
export function notAService(value: unknown, caller: string): string {
  if (value instanceof Promise) return missingAwait;
  const expected = 'expected the result of createAuthService';
  if (isKoaContext(value))
    return `${expected}, given the context of Koa. Write ${caller}(auth), not ${caller}`;
  return `${expected}, given ${describe(value)}`;
}

/** Koa passes its context to a guard that is used as middleware: `router.get('/', requireSession)`. */
const isKoaContext = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'req' in value && 'res' in value && 'app' in value;

const names = {
  config: true,
  organizationRoles: true,
  userFields: true,
  users: true,
  sessionOf: true,
  requireAccess: true,
  watchSession: true,
  can: true,
  principalOf: true,
  asOperator: true,
  on: true,
  events: true,
  statistics: true,
  isReady: true,
  close: true,
} as const satisfies Record<keyof AuthService, true>;

/**
 * Adds getters to the promise of a service that explain a forgotten `await`. Without them, `createAuthService().users`
 * would be undefined, and the error message would not name the cause.
 */
export function remindToAwait<T>(promise: Promise<T>): Promise<T> {
  for (const name of Object.keys(names)) {
    Object.defineProperty(promise, name, {
      enumerable: false,
      get() {
        // Without a handler, a rejection of the promise would end the process before this message is visible.
        promise.catch(() => {});
        throw new TypeError(`auth.${name}: ${missingAwait}`);
      },
    });
  }
  return promise;
}
