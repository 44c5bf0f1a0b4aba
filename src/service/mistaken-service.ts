import { describe } from '../core/known-options.ts';
import type { AuthService } from './types.ts';

const missingAwait = 'createAuthService returns a promise. Write: const auth = await createAuthService(…)';

/** Why a value is not a service, and what to write instead. */
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
  userFields: true,
  users: true,
  sessionOf: true,
  requireAccess: true,
  watchSession: true,
  can: true,
  principalOf: true,
  asOperator: true,
  on: true,
  statistics: true,
  isReady: true,
  close: true,
} as const satisfies Record<keyof AuthService, true>;

/**
 * Lets the promise of a service explain a forgotten `await`. Without this, `createAuthService().users` would be
 * undefined, and the message would not name the cause.
 */
export function remindToAwait<T>(promise: Promise<T>): Promise<T> {
  for (const name of Object.keys(names)) {
    Object.defineProperty(promise, name, {
      enumerable: false,
      get() {
        // Without a handler, an error of the service would end the process before anyone reads this message.
        promise.catch(() => {});
        throw new TypeError(`auth.${name}: ${missingAwait}`);
      },
    });
  }
  return promise;
}
