import * as v from 'valibot';
import type { Runtime } from '../core/runtime.ts';
import { exactly, shortText, text } from '../http/input.ts';
import { finishLogin, startLogin } from '../passkeys/operations/login.ts';
import { finishSignUp, startSignUp } from '../passkeys/operations/sign-up.ts';
import { finishStepUp, startStepUp } from '../passkeys/operations/step-up.ts';
import { simpleWebAuthn } from '../passkeys/simplewebauthn.ts';
import { endpoints } from './endpoint.ts';
import {
  authenticationResponse,
  creationOptions,
  newPasskeyResource,
  registrationResponse,
  requestOptions,
} from './passkey-schemas.ts';
import { signUpFields } from './profiles.ts';
import { sessionResource, userResource } from './resources.ts';
import { bound, type Serve, signIn } from './serve.ts';
import { admissionErrors } from './users.ts';

const assertion = exactly({ credential: authenticationResponse });

export const ceremonyEndpoints = endpoints({
  startSignUp: {
    on: 'POST /passkey/register/start',
    access: 'none',
    budget: 'ceremony',
    summary: 'Start a sign-up with a passkey',
    description:
      'Returns the options for `navigator.credentials.create()`. Stores nothing, so the username is not reserved. `GET /sign-up` says who can sign up. `invitation` is the token of an invitation. With an invitation, the account gets the role of the invitation.',
    body: exactly({
      username: text,
      displayName: v.optional(shortText),
      fields: signUpFields,
      invitation: v.optional(text),
    }),
    answers: { 200: creationOptions },
    errors: ['username_unacceptable', 'username_taken', ...admissionErrors, 'sign_up_refused'],
  },
  finishSignUp: {
    on: 'POST /passkey/register/verify',
    access: 'none',
    returnsToken: true,
    budget: 'ceremony',
    summary: 'Finish a sign-up',
    description:
      'Creates the account with its first passkey and opens a session. If the sign-up started with an invitation, also uses up the invitation. The challenge is single-use: after an error, start the sign-up again.',
    body: exactly({ credential: registrationResponse, label: v.optional(shortText) }),
    answers: { 201: v.object({ user: userResource, passkey: newPasskeyResource, session: sessionResource }) },
    errors: [
      'registration_failed',
      'username_unacceptable',
      'username_taken',
      'passkey_already_registered',
      ...admissionErrors,
      'sign_up_refused',
      'authenticator_not_allowed',
    ],
  },
  startLogin: {
    on: 'POST /passkey/login/start',
    access: 'none',
    budget: 'ceremony',
    summary: 'Start a sign-in with a passkey',
    description:
      'Returns the options for `navigator.credentials.get()`. Without `username`, the user can select any passkey of this site, for example through autofill. With `username`, the options contain the passkeys of that user. If no user has the username, or if the user has no passkeys, the options contain invented credential ids. These ids are the same in every request with this username. So the response does not reveal whether the user exists. The service stores nothing.',
    body: exactly({ username: v.optional(text) }),
    answers: { 200: requestOptions },
  },
  finishLogin: {
    on: 'POST /passkey/login/verify',
    access: 'none',
    returnsToken: true,
    budget: 'ceremony',
    summary: 'Finish a sign-in',
    description:
      'Opens a session. Every failure returns the same error, with two exceptions. If the assertion is valid and the account is disabled, the code is `account_disabled`. If the user handle in `credential` belongs to an account, and this account does not have the passkey, `reason` is `unknown_credential`. The page can then call `PublicKeyCredential.signalUnknownCredential()`, so that the browser stops offering the passkey. The challenge is single-use.',
    body: assertion,
    answers: { 200: v.object({ user: userResource, session: sessionResource }) },
    errors: ['authentication_failed', 'account_disabled', 'authenticator_not_allowed'],
  },
  startStepUp: {
    on: 'POST /passkey/stepup/start',
    access: 'full_session',
    event: 'passkey.stepup',
    budget: 'ceremony',
    summary: 'Start a step-up',
    description:
      'A step-up authenticates the signed-in user again. Returns the options for `navigator.credentials.get()`. The options contain the passkeys of the user.',
    answers: { 200: requestOptions },
  },
  finishStepUp: {
    on: 'POST /passkey/stepup/verify',
    access: 'full_session',
    event: 'passkey.stepup',
    returnsToken: true,
    budget: 'ceremony',
    summary: 'Finish a step-up',
    description:
      'The session has fresh authentication again and gets a new token. The challenge is single-use.',
    body: assertion,
    answers: { 200: v.object({ session: sessionResource }) },
    errors: ['authentication_failed', 'authenticator_not_allowed'],
  },
});

export function ceremonyRoutes(serve: Serve, runtime: Runtime): void {
  // Loads the library now, so that the first ceremony does not wait for the import.
  simpleWebAuthn().catch(() => {});

  serve(ceremonyEndpoints.startSignUp, async (ctx, caller, { body }) => {
    const input = await body();
    ctx.body = { options: await startSignUp(runtime, bound(ctx, runtime, caller), input) };
  });

  serve(ceremonyEndpoints.finishSignUp, async (ctx, caller, { body }) => {
    const input = await body();
    const { user, passkey, ...opened } = await finishSignUp(runtime, caller, input);
    ctx.status = 201;
    ctx.body = { user, passkey, session: signIn(ctx, runtime, user, opened) };
  });

  serve(ceremonyEndpoints.startLogin, async (ctx, caller, { body }) => {
    const { username } = await body();
    // Counts only against the rate limit of the IP address. A passkey cannot be guessed, and strangers could use up a
    // rate limit of the username.
    ctx.body = { options: await startLogin(runtime, bound(ctx, runtime, caller), username) };
  });

  serve(ceremonyEndpoints.finishLogin, async (ctx, caller, { body }) => {
    const { credential } = await body();
    const { user, ...opened } = await finishLogin(runtime, caller, credential);
    ctx.body = { user, session: signIn(ctx, runtime, user, opened) };
  });

  serve(ceremonyEndpoints.startStepUp, async (ctx, actor, { body }) => {
    await body();
    ctx.body = { options: await startStepUp(runtime, bound(ctx, runtime, actor)) };
  });

  serve(ceremonyEndpoints.finishStepUp, async (ctx, actor, { body }) => {
    const { credential } = await body();
    const opened = await finishStepUp(runtime, actor, credential);
    ctx.body = { session: signIn(ctx, runtime, actor.user, opened) };
  });
}
