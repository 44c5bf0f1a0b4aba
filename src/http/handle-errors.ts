import type { Context, Middleware, Next } from 'koa';
import { AuthError } from '../core/errors.ts';
import type { Logger } from '../core/logger.ts';
import { outOfCaches, problemOf } from './problem.ts';

/**
 * Turns errors into responses with problem details, and keeps all responses out of caches. An error that is not an
 * `AuthError` is emitted as the app's `error` event, and the client gets only `internal_error`.
 */
export function handleErrors(log: Logger): Middleware {
  return async (ctx, next) => {
    ctx.set(outOfCaches);
    try {
      await next();
    } catch (error) {
      if (error instanceof ApplicationError) throw error.cause;
      const known = error instanceof AuthError ? error : new AuthError('internal_error', { cause: error });
      if (known.status >= 500) report(ctx, known, error, log);
      answer(ctx, known);
    }
  };
}

/** Runs the application's next middleware. `handleErrors` does not handle the errors of this middleware. */
export async function runNext(next: Next): Promise<void> {
  try {
    await next();
  } catch (error) {
    throw new ApplicationError(error);
  }
}

class ApplicationError extends Error {
  constructor(cause: unknown) {
    super('the application threw an error', { cause });
  }
}

function report(ctx: Context, known: AuthError, error: unknown, log: Logger): void {
  if (known.code === 'internal_error') {
    ctx.app.emit('error', error, ctx);
    return;
  }
  const { code, detail, cause } = known;
  // An error without `detail` and `cause` means overload. The code that rejects requests logs each overload once.
  if (detail === undefined && cause === undefined) return;
  const fields = { code, requestId: ctx.state.requestId, detail, err: cause ?? error };
  log.error(fields, `${ctx.method} ${ctx.path} failed`);
}

function answer(ctx: Context, error: AuthError): void {
  const problem = problemOf(error);
  if (!problem) return;
  ctx.status = problem.status;
  ctx.body = JSON.stringify(problem.body);
  ctx.set(problem.headers);
}
