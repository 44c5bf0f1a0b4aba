import type { Context } from 'koa';
import type { Runtime } from '../core/runtime.ts';
import { setSessionCookie } from '../http/cookies.ts';
import { bound, type Endpoints } from '../http/endpoints.ts';
import { nothing } from '../http/input.ts';
import { readBody } from '../http/read-body.ts';
import type { OpenedSession } from '../sessions/session.ts';
import {
  addPasskey,
  assertionFinish,
  loginStart,
  registrationFinish,
  renaming,
  signUpStart,
} from './input.ts';
import { finishAddPasskey, startAddPasskey } from './operations/add.ts';
import { listPasskeys, removePasskey, renamePasskey } from './operations/devices.ts';
import { finishLogin, startLogin } from './operations/login.ts';
import { finishSignUp, startSignUp } from './operations/sign-up.ts';
import { finishStepUp, startStepUp } from './operations/step-up.ts';

export function passkeyRoutes(endpoints: Endpoints, runtime: Runtime): void {
  ceremonyRoutes(endpoints, runtime);
  deviceRoutes(endpoints, runtime);
}

function ceremonyRoutes({ open, signedIn }: Endpoints, runtime: Runtime): void {
  open('post', '/passkey/register/start', async (ctx, caller) => {
    const input = await readBody(ctx, signUpStart);
    ctx.body = { options: await startSignUp(runtime, bound(ctx, runtime, caller), input) };
  });

  open('post', '/passkey/register/verify', async (ctx, caller) => {
    const input = await readBody(ctx, registrationFinish);
    const { user, passkey, ...opened } = await finishSignUp(runtime, caller, input);
    ctx.status = 201;
    ctx.body = { user, passkey, session: signIn(ctx, runtime, opened) };
  });

  open('post', '/passkey/login/start', async (ctx, caller) => {
    const { username } = await readBody(ctx, loginStart);
    ctx.body = { options: await startLogin(runtime, bound(ctx, runtime, caller), username) };
  });

  open('post', '/passkey/login/verify', async (ctx, caller) => {
    const { credential } = await readBody(ctx, assertionFinish);
    const { user, ...opened } = await finishLogin(runtime, caller, credential);
    ctx.body = { user, session: signIn(ctx, runtime, opened) };
  });

  signedIn('post', '/passkey/stepup/start', async (ctx, actor) => {
    await readBody(ctx, nothing);
    ctx.body = { options: await startStepUp(runtime, bound(ctx, runtime, actor)) };
  });

  signedIn('post', '/passkey/stepup/verify', async (ctx, actor) => {
    const { credential } = await readBody(ctx, assertionFinish);
    ctx.body = { session: signIn(ctx, runtime, await finishStepUp(runtime, actor, credential)) };
  });
}

function deviceRoutes({ signedIn, fresh }: Endpoints, runtime: Runtime): void {
  signedIn('get', '/passkey/devices', async (ctx, actor) => {
    ctx.body = { devices: await listPasskeys(runtime, actor) };
  });

  fresh('post', '/passkey/devices/add', async (ctx, actor) => {
    const { credential, label } = await readBody(ctx, addPasskey);
    if (!credential) {
      ctx.body = { options: await startAddPasskey(runtime, bound(ctx, runtime, actor)) };
      return;
    }
    ctx.status = 201;
    ctx.body = { device: await finishAddPasskey(runtime, actor, { credential, label }) };
  });

  signedIn('patch', '/passkey/devices/:id', async (ctx, actor) => {
    const { label } = await readBody(ctx, renaming);
    ctx.body = { device: await renamePasskey(runtime, actor, idOf(ctx), label) };
  });

  fresh('delete', '/passkey/devices/:id', async (ctx, actor) => {
    await readBody(ctx, nothing);
    await removePasskey(runtime, actor, idOf(ctx));
    ctx.status = 204;
  });
}

const idOf = (ctx: Context): string => `${ctx.params.id}`;

/** The token goes into the cookie and nowhere else. */
function signIn(ctx: Context, runtime: Runtime, { session, token }: OpenedSession): OpenedSession['session'] {
  setSessionCookie(ctx, runtime.config, token);
  return session;
}
