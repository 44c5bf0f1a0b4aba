import type { Runtime } from '../core/runtime.ts';
import { clearSessionCookie } from '../http/cookies.ts';
import type { Endpoints } from '../http/endpoints.ts';
import { nothing } from '../http/input.ts';
import { readBody } from '../http/read-body.ts';
import { listSessions, logOut, readSession, revokeOtherSessions, revokeSession } from './operations.ts';
import { issueServiceToken } from './service-token.ts';

export function sessionRoutes({ open, signedIn }: Endpoints, runtime: Runtime): void {
  // Open to every kind of session and to none: whoever asks to be logged out ends up logged out.
  open('delete', '/session', 'write', async (ctx, caller) => {
    await readBody(ctx, nothing);
    const read = await readSession(runtime, caller.sessionToken);
    if (read) await logOut(runtime, { ...caller, ...read });
    clearSessionCookie(ctx, runtime.config);
    ctx.status = 204;
  });

  signedIn('post', '/session/token', 'write', async (ctx, actor) => {
    await readBody(ctx, nothing);
    ctx.status = 201;
    ctx.body = await issueServiceToken(runtime, actor);
  });

  signedIn('get', '/sessions', 'read', async (ctx, actor) => {
    ctx.body = { sessions: await listSessions(runtime, actor) };
  });

  signedIn('delete', '/sessions', 'write', async (ctx, actor) => {
    await readBody(ctx, nothing);
    ctx.body = { ended: await revokeOtherSessions(runtime, actor) };
  });

  signedIn('delete', '/sessions/:id', 'write', async (ctx, actor) => {
    await readBody(ctx, nothing);
    const { id = '' } = ctx.params as { id?: string };
    await revokeSession(runtime, actor, id);
    if (id === actor.session.id) clearSessionCookie(ctx, runtime.config);
    ctx.status = 204;
  });
}
