import * as v from 'valibot';
import type { Runtime } from '../core/runtime.ts';
import { exactly } from '../http/input.ts';
import { checkUsernameAvailability, type UsernameAvailability } from '../users/operations.ts';
import { endpoints } from './endpoint.ts';
import type { Serve } from './serve.ts';

const availability = v.object({
  username: v.pipe(
    v.string(),
    v.description('The canonical form. For an invalid username: the trimmed, case-folded input.'),
  ),
  available: v.boolean(),
  reason: v.nullable(v.picklist(['taken', 'invalid', 'reserved'])),
}) satisfies v.GenericSchema<UsernameAvailability>;

export const userEndpoints = endpoints({
  checkUsernameAvailability: {
    on: 'GET /username/availability',
    access: 'none',
    budget: 'read',
    summary: 'Check whether a username is available',
    description: 'The result is advice: the username can be taken before the user signs up.',
    query: exactly({ username: v.string('expected one username') }),
    answers: { 200: availability },
  },
});

export function userRoutes(serve: Serve, runtime: Runtime): void {
  serve(userEndpoints.checkUsernameAvailability, async (ctx, _, { query }) => {
    const { username } = query();
    ctx.body = await checkUsernameAvailability(runtime, username);
  });
}
