import type { Context } from 'koa';
import { problemOf } from './problem.ts';

/**
 * Makes Koa respond to an uncaught `AuthError` of this request as the router does: with problem details. Koa itself would
 * send only the message, as text, so a page could not distinguish the errors.
 *
 * The guards still throw, so the application's middleware can catch each error first, for example to redirect to its
 * sign-in page. As usual, Koa emits the error as the app's `error` event and drops the headers that were set before. An
 * app that replaces `app.context.onerror` keeps its own responses.
 */
export function answerUncaught(ctx: Context): void {
  if (Object.hasOwn(ctx, 'onerror') || Object.hasOwn(ctx.app.context, 'onerror')) return;
  const { onerror } = ctx;
  ctx.onerror = (error) => {
    const problem = problemOf(error);
    if (!problem || ctx.headerSent || !ctx.writable) return onerror.call(ctx, error);
    ctx.app.emit('error', error, ctx);
    for (const name of ctx.res.getHeaderNames()) ctx.remove(name);
    ctx.status = problem.status;
    ctx.set(problem.headers);
    ctx.res.end(JSON.stringify(problem.body));
  };
}
