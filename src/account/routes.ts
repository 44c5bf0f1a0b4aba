import type { Runtime } from '../core/runtime.ts';
import type { Serve } from '../http/endpoints.ts';
import { accountEndpoints } from './endpoints.ts';
import { readAccount } from './operations.ts';

export function accountRoutes(serve: Serve, runtime: Runtime): void {
  serve(accountEndpoints.readSession, async (ctx, { user, session }) => {
    ctx.body = { user: await readAccount(runtime, user.id, 'not_authenticated'), session };
  });
}
