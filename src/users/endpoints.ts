import * as v from 'valibot';
import { endpoints } from '../http/contract.ts';
import { exactly } from '../http/input.ts';
import type { UsernameAvailability } from './operations.ts';

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
