import type { Runtime } from '../core/runtime.ts';
import type { Serve } from '../http/endpoints.ts';
import { userEndpoints } from './endpoints.ts';
import { checkUsernameAvailability } from './operations.ts';

export function userRoutes(serve: Serve, runtime: Runtime): void {
  serve(userEndpoints.checkUsernameAvailability, async (ctx, _, { query }) => {
    const { username } = query();
    ctx.body = await checkUsernameAvailability(runtime, username);
  });
}
