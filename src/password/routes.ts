import type { Runtime } from '../core/runtime.ts';
import { type Serve, signIn } from '../http/endpoints.ts';
import { countName } from '../http/rate-limit.ts';
import { passwordEndpoints } from './endpoints.ts';
import { logInWithPassword } from './operations/login.ts';
import { removePassword } from './operations/remove.ts';
import { setPassword } from './operations/set.ts';
import { stepUpWithPassword } from './operations/step-up.ts';

export function passwordRoutes(serve: Serve, runtime: Runtime): void {
  serve(passwordEndpoints.logInWithPassword, async (ctx, caller, { body }) => {
    const input = await body();
    await countName(ctx, runtime, 'password', input.username);
    const { user, ...opened } = await logInWithPassword(runtime, caller, input);
    ctx.body = { user, session: signIn(ctx, runtime, opened) };
  });

  serve(passwordEndpoints.stepUpWithPassword, async (ctx, actor, { body }) => {
    const { password } = await body();
    ctx.body = { session: signIn(ctx, runtime, await stepUpWithPassword(runtime, actor, password)) };
  });

  serve(passwordEndpoints.setPassword, async (ctx, actor, { body }) => {
    const { password } = await body();
    const { replaced } = await setPassword(runtime, actor, password);
    ctx.status = replaced ? 200 : 201;
    ctx.body = { user: actor.user };
  });

  serve(passwordEndpoints.removePassword, async (ctx, actor, { body }) => {
    await body();
    await removePassword(runtime, actor);
    ctx.status = 204;
  });
}
