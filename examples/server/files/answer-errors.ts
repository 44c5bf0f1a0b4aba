import type { Middleware } from 'koa';

/** An error of the guards or of `ctx.throw`. `expose` says whether clients can see the message. */
interface Refusal extends Error {
  status: number;
  expose: boolean;
  code?: string;
  headers?: Record<string, string>;
}

/** Responds to errors of the guards and of `ctx.throw` with problem details, as Latchkey's own endpoints do. */
export const answerErrors: Middleware = async (ctx, next) => {
  try {
    await next();
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const { status, code = 'invalid_request', message, headers = {} } = error;
    ctx.status = status;
    ctx.set(headers);
    ctx.body = { title: message, status, code };
    ctx.type = 'application/problem+json';
  }
};

const isRefusal = (error: unknown): error is Refusal =>
  error instanceof Error && 'expose' in error && error.expose === true;
