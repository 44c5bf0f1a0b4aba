import type { Runtime } from '../core/runtime.ts';
import { clearSessionCookie } from '../http/cookies.ts';
import type { Serve } from '../http/endpoints.ts';
import { sessionEndpoints } from './endpoints.ts';
import { listSessions, logOut, readSession, revokeOtherSessions, revokeSession } from './operations.ts';
import { issueServiceToken } from './service-token.ts';

export function sessionRoutes(serve: Serve, runtime: Runtime): void {
  serve(sessionEndpoints.logOut, async (ctx, caller, { body }) => {
    await body();
    const read = await readSession(runtime, caller.sessionToken);
    if (read) await logOut(runtime, { ...caller, ...read });
    clearSessionCookie(ctx, runtime.config);
    ctx.status = 204;
  });

  serve(sessionEndpoints.issueServiceToken, async (ctx, actor, { body }) => {
    const request = await body();
    ctx.body = await issueServiceToken(runtime, actor, request);
    ctx.status = 201;
  });

  serve(sessionEndpoints.listSessions, async (ctx, actor) => {
    ctx.body = { sessions: await listSessions(runtime, actor) };
  });

  serve(sessionEndpoints.endOtherSessions, async (ctx, actor, { body }) => {
    await body();
    ctx.body = { ended: await revokeOtherSessions(runtime, actor) };
  });

  serve(sessionEndpoints.endSession, async (ctx, actor, { body }) => {
    await body();
    const { id = '' } = ctx.params as { id?: string };
    await revokeSession(runtime, actor, id);
    if (id === actor.session.id) clearSessionCookie(ctx, runtime.config);
    ctx.status = 204;
  });
}
