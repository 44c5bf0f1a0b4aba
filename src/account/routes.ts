import type { Runtime } from '../core/runtime.ts';
import { signedInActor } from '../http/current-actor.ts';
import type { Endpoints } from '../http/endpoints.ts';
import { readAccount } from './operations.ts';

export function accountRoutes({ open }: Endpoints, runtime: Runtime): void {
  // Open to sessions of every kind: a person who is recovering is shown whose account it is.
  open('get', '/session', async (ctx) => {
    const { actor } = await signedInActor(ctx, runtime);
    ctx.body = { user: await readAccount(runtime, actor.user), session: actor.session };
  });
}
