import type { Runtime } from '../core/runtime.ts';
import type { Endpoints } from '../http/endpoints.ts';
import { readAccount } from './operations.ts';

export function accountRoutes({ anySession }: Endpoints, runtime: Runtime): void {
  // A person who is recovering is shown whose account it is.
  anySession('get', '/session', 'read', async (ctx, { user, session }) => {
    ctx.body = { user: await readAccount(runtime, user), session };
  });
}
