import * as v from 'valibot';
import type { Runtime } from '../core/runtime.ts';
import { signUpModes } from '../core/sign-up.ts';
import { exactly, text } from '../http/input.ts';
import { checkAvailabilityToSignUp } from '../sign-up/operations/admit.ts';
import type { UsernameAvailability } from '../users/operations.ts';
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

const notReserved = 'Does not reserve the username, so another user can take it before the sign-up finishes.';

/** The errors of requests for which the caller must be able to sign up. */
export const admissionErrors = [
  'sign_up_closed',
  'invitation_required',
  'invitation_not_found',
  'invitation_unusable',
  'invitation_for_another_user',
] as const;

export const userEndpoints = endpoints({
  getSignUpMode: {
    on: 'GET /sign-up',
    access: 'none',
    budget: 'read',
    summary: 'Get who can sign up',
    description:
      '`open`: everyone. `invitation`: only users with an invitation. `closed`: no user. A page can hide its sign-up form.',
    answers: { 200: v.object({ mode: v.picklist(signUpModes) }) },
  },
  checkUsernameAvailability: {
    on: 'GET /username/availability',
    access: 'none',
    budget: 'read',
    summary: 'Check whether a username is available',
    description: `${notReserved} Works only in the sign-up mode \`open\`.`,
    query: exactly({ username: v.string('expected a single username') }),
    answers: { 200: availability },
    errors: ['sign_up_closed', 'invitation_required'],
  },
  // The token is in the body, because servers and proxies write query strings to their logs.
  checkUsernameAvailabilityWithInvitation: {
    on: 'POST /username/availability',
    access: 'none',
    budget: 'read',
    summary: 'Check whether an invited user can take a username',
    description: `${notReserved} In the sign-up mode \`invitation\`, needs the token of an invitation.`,
    body: exactly({ username: text, invitation: v.optional(text) }),
    answers: { 200: availability },
    errors: admissionErrors,
  },
});

export function userRoutes(serve: Serve, runtime: Runtime): void {
  serve(userEndpoints.getSignUpMode, async (ctx) => {
    ctx.body = { mode: runtime.config.signUpMode };
  });

  serve(userEndpoints.checkUsernameAvailability, async (ctx, caller, { query }) => {
    ctx.body = await checkAvailabilityToSignUp(runtime, caller, query());
  });

  serve(userEndpoints.checkUsernameAvailabilityWithInvitation, async (ctx, caller, { body }) => {
    ctx.body = await checkAvailabilityToSignUp(runtime, caller, await body());
  });
}
