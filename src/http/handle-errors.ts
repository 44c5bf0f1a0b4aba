import type { Context, Middleware, Next } from 'koa';
import { bounds } from '../core/bounds.ts';
import { AuthError, errorTable } from '../core/errors.ts';
import type { Logger } from '../core/logger.ts';

/** The body of an error response: problem details (RFC 9457). */
export interface ProblemDetails {
  /** `urn:latchkey:error:`, then the code. */
  type: string;
  /** What happened. */
  title: string;
  status: number;
  /** The stable name of the error, for comparisons in code. */
  code: AuthError['code'];
  /** What to do next. Safe to show to users. */
  nextStep: string;
  /** A message about this occurrence of the error, safe to show to users. */
  detail?: string;
  /** A stable name that says more than the code. */
  reason?: string;
  /** The invalid values of the request, but not more than the first 20. */
  errors?: AuthError['errors'];
}

/**
 * Turns errors into responses with problem details, and keeps all responses out of caches. An error that is not an
 * `AuthError` is emitted as the app's `error` event, and the client gets only `internal_error`.
 */
export function handleErrors(log: Logger): Middleware {
  return async (ctx, next) => {
    ctx.set('Cache-Control', 'no-store');
    ctx.set('X-Content-Type-Options', 'nosniff');
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
  const { title } = errorTable[error.code];
  const problem: ProblemDetails = {
    type: `urn:latchkey:error:${error.code}`,
    title,
    status: error.status,
    code: error.code,
    nextStep: error.nextStep,
    ...(error.message !== title && { detail: error.message }),
    ...(error.reason && { reason: error.reason }),
    ...(error.errors && { errors: error.errors.slice(0, bounds.faults) }),
  };
  ctx.status = error.status;
  ctx.set(error.headers);
  ctx.body = JSON.stringify(problem);
  ctx.set('Content-Type', 'application/problem+json');
}
