import type { Runtime } from '../core/runtime.ts';
import type { Serve } from '../http/endpoints.ts';
import { accountEndpoints } from './endpoints.ts';
import { readAccount } from './operations.ts';

export function accountRoutes(serve: Serve, runtime: Runtime): void {
  serve(accountEndpoints.readSession, async (ctx, { user, session }) => {
    const { account, recoveryLink } = await readAccount(runtime, user.id, 'not_authenticated');
    ctx.body = { user: account, session, recoveryLink };
  });
}
