import * as v from 'valibot';
import type { Runtime } from '../core/runtime.ts';
import { rememberBrowser } from '../http/device-cookie.ts';
import { exactly, text } from '../http/input.ts';
import { logInWithPassword } from '../password/operations/login.ts';
import { removePassword } from '../password/operations/remove.ts';
import { setPassword } from '../password/operations/set.ts';
import { stepUpWithPassword } from '../password/operations/step-up.ts';
import { endpoints } from './endpoint.ts';
import { sessionResource, userResource } from './resources.ts';
import { limitGuessesFor, type Serve, signIn } from './serve.ts';

const user = v.object({ user: userResource });

export const passwordEndpoints = endpoints({
  logInWithPassword: {
    on: 'POST /password/login',
    access: 'none',
    returnsToken: true,
    budget: 'password',
    summary: 'Sign in with a password',
    description:
      'Opens a session. Every failure returns the same error after the same amount of work. Causes are an unknown username, an account without a password and a wrong password. Only if the password is correct and the account is disabled, the code is `account_disabled`. Only failures count against the rate limit of the username, or of a browser that has signed in before.',
    body: exactly({ username: text, password: text }),
    answers: { 200: v.object({ user: userResource, session: sessionResource }) },
    errors: ['authentication_failed', 'account_disabled'],
  },
  stepUpWithPassword: {
    on: 'POST /password/stepup',
    access: 'full_session',
    event: 'password.stepup',
    returnsToken: true,
    budget: 'password',
    summary: 'Step up with a password',
    description:
      'A step-up authenticates the signed-in user again. The session has fresh authentication again and gets a new token. A user who has a passkey gets `passkey_required` and can step up only with the passkey.',
    body: exactly({ password: text }),
    answers: { 200: v.object({ session: sessionResource }) },
    errors: ['passkey_required', 'authentication_failed'],
  },
  setPassword: {
    on: 'POST /password/add',
    access: 'fresh',
    event: 'password.add',
    budget: 'password',
    summary: 'Set the password',
    description:
      'Returns 201 for the first password, and 200 if the new password replaces one. A password has at least 8 characters ' +
      '(or `passwordMinLength`) and at most 128. If the error is `password_unacceptable`, `reason` is `too_short`, `too_long`, ' +
      '`malformed`, `common` or `breached`. Ends all other sessions and cancels unfinished recoveries of the account.',
    body: exactly({ password: text }),
    answers: { 200: user, 201: user },
    errors: ['password_unacceptable'],
  },
  removePassword: {
    on: 'DELETE /password/remove',
    access: 'fresh',
    event: 'password.remove',
    budget: 'write',
    summary: 'Remove the password',
    description:
      'Returns 404 if the account has no password. Ends all other sessions and cancels unfinished recoveries of the account.',
    answers: { 204: null },
    errors: ['not_found', 'last_credential'],
  },
});

export function passwordRoutes(serve: Serve, runtime: Runtime): void {
  serve(passwordEndpoints.logInWithPassword, async (ctx, caller, { body }) => {
    const input = await body();
    const guesses = limitGuessesFor(ctx, runtime, 'password', input.username);
    const { user, ...opened } = await logInWithPassword(runtime, caller, input, guesses);
    ctx.body = { user, session: signIn(ctx, runtime, user, opened) };
  });

  serve(passwordEndpoints.stepUpWithPassword, async (ctx, actor, { body }) => {
    const { password } = await body();
    const opened = await stepUpWithPassword(runtime, actor, password);
    ctx.body = { session: signIn(ctx, runtime, actor.user, opened) };
  });

  serve(passwordEndpoints.setPassword, async (ctx, actor, { body }) => {
    const { password } = await body();
    const { replaced, epoch } = await setPassword(runtime, actor, password);
    rememberBrowser(ctx, runtime, actor.user.id, epoch);
    ctx.status = replaced ? 200 : 201;
    ctx.body = { user: actor.user };
  });

  serve(passwordEndpoints.removePassword, async (ctx, actor, { body }) => {
    await body();
    const epoch = await removePassword(runtime, actor);
    rememberBrowser(ctx, runtime, actor.user.id, epoch);
    ctx.status = 204;
  });
}
