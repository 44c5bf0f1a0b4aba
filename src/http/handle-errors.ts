import type { Context, Middleware, Next } from 'koa';
import { AuthError, errorTable } from '../core/errors.ts';
import type { Logger } from '../core/logger.ts';

/** An error as RFC 9457 problem details. `code` is what clients decide by. */
export interface ProblemDetails {
  type: string;
  title: string;
  status: number;
  code: AuthError['code'];
  detail?: string;
  reason?: string;
  errors?: AuthError['errors'];
}

/**
 * Answers every error under the router as problem details, and marks every answer as not to be stored. What is no
 * `AuthError` is a fault of ours: the app hears of it as it does of its own, the client only that it happened.
 */
export function handleErrors(log: Logger): Middleware {
  return async (ctx, next) => {
    ctx.set('Cache-Control', 'no-store');
    ctx.set('X-Content-Type-Options', 'nosniff');
    try {
      await next();
    } catch (error) {
      if (error instanceof ErrorOfTheApp) throw error.cause;
      const known = error instanceof AuthError ? error : new AuthError('internal_error', { cause: error });
      if (known.status >= 500) report(ctx, known, error, log);
      answer(ctx, known);
    }
  };
}

/** Runs what the app has mounted behind us. Its errors are its own to answer, so they go back to it as they are. */
export async function handOn(next: Next): Promise<void> {
  try {
    await next();
  } catch (error) {
    throw new ErrorOfTheApp(error);
  }
}

class ErrorOfTheApp extends Error {
  constructor(cause: unknown) {
    super('an error of the app', { cause });
  }
}

function report(ctx: Context, known: AuthError, error: unknown, log: Logger): void {
  if (known.code === 'internal_error') {
    ctx.app.emit('error', error, ctx);
    return;
  }
  const { code, detail, cause } = known;
  // Turned away to spare the service: whoever did it has said so, once.
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
    ...(error.message !== title && { detail: error.message }),
    ...(error.reason && { reason: error.reason }),
    ...(error.errors && { errors: error.errors }),
  };
  ctx.status = error.status;
  ctx.set(error.headers);
  ctx.body = JSON.stringify(problem);
  ctx.set('Content-Type', 'application/problem+json');
}
