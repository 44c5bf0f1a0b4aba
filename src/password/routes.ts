import type { Runtime } from '../core/runtime.ts';
import { type Endpoints, signIn } from '../http/endpoints.ts';
import { nothing } from '../http/input.ts';
import { countName } from '../http/rate-limit.ts';
import { readBody } from '../http/read-body.ts';
import { newPassword, passwordLogin, passwordStepUp } from './input.ts';
import { logInWithPassword } from './operations/login.ts';
import { removePassword } from './operations/remove.ts';
import { setPassword } from './operations/set.ts';
import { stepUpWithPassword } from './operations/step-up.ts';

export function passwordRoutes({ open, signedIn, fresh }: Endpoints, runtime: Runtime): void {
  open('post', '/password/login', 'password', async (ctx, caller) => {
    const input = await readBody(ctx, passwordLogin);
    await countName(ctx, runtime, 'password', input.username);
    const { user, ...opened } = await logInWithPassword(runtime, caller, input);
    ctx.body = { user, session: signIn(ctx, runtime, opened) };
  });

  signedIn('post', '/password/stepup', 'password', async (ctx, actor) => {
    const { password } = await readBody(ctx, passwordStepUp);
    ctx.body = { session: signIn(ctx, runtime, await stepUpWithPassword(runtime, actor, password)) };
  });

  fresh('post', '/password/add', 'password', async (ctx, actor) => {
    const { password } = await readBody(ctx, newPassword);
    const { replaced } = await setPassword(runtime, actor, password);
    ctx.status = replaced ? 200 : 201;
    ctx.body = { user: actor.user };
  });

  fresh('delete', '/password/remove', 'write', async (ctx, actor) => {
    await readBody(ctx, nothing);
    await removePassword(runtime, actor);
    ctx.status = 204;
  });
}
