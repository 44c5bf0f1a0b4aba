import * as v from 'valibot';
import type { Runtime } from '../core/runtime.ts';
import type { User } from '../core/user.ts';
import { endpoints } from '../http/endpoint.ts';
import { exactly } from '../http/input.ts';
import { id, time } from '../http/resource.ts';
import { checkUsernameAvailability, type UsernameAvailability } from '../users/operations.ts';
import type { Serve } from './serve.ts';

const role = v.picklist(['user', 'admin', 'superadmin']);

export const userResource = v.object({
  id,
  username: v.pipe(v.string(), v.description('The canonical form.')),
  displayName: v.nullable(v.string()),
  role,
  status: v.picklist(['active', 'disabled']),
  createdAt: time,
}) satisfies v.GenericSchema<User>;

/** Somebody as others see them. */
export const namedUserResource = v.object({ id, username: v.string() });

const availability = v.object({
  username: v.pipe(
    v.string(),
    v.description('The canonical form; of an impossible name, its trimmed and case-folded text.'),
  ),
  available: v.boolean(),
  reason: v.nullable(v.picklist(['taken', 'invalid', 'reserved'])),
}) satisfies v.GenericSchema<UsernameAvailability>;

export const userEndpoints = endpoints({
  checkUsernameAvailability: {
    on: 'GET /username/availability',
    access: 'anybody',
    budget: 'read',
    summary: 'Ask whether a username can be had',
    description: 'Advice only: signing up decides.',
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
