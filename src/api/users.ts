import * as v from 'valibot';
import type { Runtime } from '../core/runtime.ts';
import { exactly } from '../http/input.ts';
import { checkUsernameAvailability, type UsernameAvailability } from '../users/operations.ts';
import { endpoints } from './endpoint.ts';
import type { Serve } from './serve.ts';

const availability = v.object({
  username: v.pipe(
    v.string(),
    v.description(
      'The canonical form of the username. For an invalid username: the input, trimmed and in lowercase.',
    ),
  ),
  available: v.boolean(),
  reason: v.pipe(
    v.nullable(v.picklist(['taken', 'look_alike', 'invalid', 'reserved'])),
    v.description(
      'Why the username is not available. Null: the username is available. `look_alike`: it looks like the username of another user.',
    ),
  ),
}) satisfies v.GenericSchema<UsernameAvailability>;

export const userEndpoints = endpoints({
  checkUsernameAvailability: {
    on: 'GET /username/availability',
    access: 'none',
    budget: 'read',
    summary: 'Check whether a username is available',
    description: 'Does not reserve the username, so another user can take it before the sign-up finishes.',
    query: exactly({ username: v.string('expected a single username') }),
    answers: { 200: availability },
  },
});

export function userRoutes(serve: Serve, runtime: Runtime): void {
  serve(userEndpoints.checkUsernameAvailability, async (ctx, _, { query }) => {
    const { username } = query();
    ctx.body = await checkUsernameAvailability(runtime, username);
  });
}
