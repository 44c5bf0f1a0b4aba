import * as v from 'valibot';
import type { Runtime } from '../core/runtime.ts';
import type { Endpoints } from '../http/endpoints.ts';
import { exactly } from '../http/input.ts';
import { readQuery } from '../http/read-body.ts';
import { checkUsernameAvailability } from './operations.ts';

const availabilityQuery = exactly({ username: v.string('expected one username') });

export function userRoutes({ open }: Endpoints, runtime: Runtime): void {
  open('get', '/username/availability', 'read', async (ctx) => {
    const { username } = readQuery(ctx, availabilityQuery);
    ctx.body = await checkUsernameAvailability(runtime, username);
  });
}
