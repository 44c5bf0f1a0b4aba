import type { Context } from 'koa';
import type { Runtime } from '../core/runtime.ts';
import { bound, type Endpoints, signIn } from '../http/endpoints.ts';
import { nothing } from '../http/input.ts';
import { countName } from '../http/rate-limit.ts';
import { readBody } from '../http/read-body.ts';
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
import { simpleWebAuthn } from './simplewebauthn.ts';

export function passkeyRoutes(endpoints: Endpoints, runtime: Runtime): void {
  // Where there are ceremonies to come, the first is not to wait for it.
  simpleWebAuthn().catch(() => {});
  ceremonyRoutes(endpoints, runtime);
  deviceRoutes(endpoints, runtime);
}

function ceremonyRoutes({ open, signedIn }: Endpoints, runtime: Runtime): void {
  open('post', '/passkey/register/start', 'ceremony', async (ctx, caller) => {
    const input = await readBody(ctx, signUpStart);
    await countName(ctx, runtime, 'ceremony', input.username);
    ctx.body = { options: await startSignUp(runtime, bound(ctx, runtime, caller), input) };
  });

  open('post', '/passkey/register/verify', 'ceremony', async (ctx, caller) => {
    const input = await readBody(ctx, registrationFinish);
    const { user, passkey, ...opened } = await finishSignUp(runtime, caller, input);
    ctx.status = 201;
    ctx.body = { user, passkey, session: signIn(ctx, runtime, opened) };
  });

  open('post', '/passkey/login/start', 'ceremony', async (ctx, caller) => {
    const { username } = await readBody(ctx, loginStart);
    // A login without a name is counted for its address alone: whoever exhausts a name's budget leaves this way in.
    if (username !== undefined) await countName(ctx, runtime, 'ceremony', username);
    ctx.body = { options: await startLogin(runtime, bound(ctx, runtime, caller), username) };
  });

  open('post', '/passkey/login/verify', 'ceremony', async (ctx, caller) => {
    const { credential } = await readBody(ctx, assertionFinish);
    const { user, ...opened } = await finishLogin(runtime, caller, credential);
    ctx.body = { user, session: signIn(ctx, runtime, opened) };
  });

  signedIn('post', '/passkey/stepup/start', 'ceremony', async (ctx, actor) => {
    await readBody(ctx, nothing);
    ctx.body = { options: await startStepUp(runtime, bound(ctx, runtime, actor)) };
  });

  signedIn('post', '/passkey/stepup/verify', 'ceremony', async (ctx, actor) => {
    const { credential } = await readBody(ctx, assertionFinish);
    ctx.body = { session: signIn(ctx, runtime, await finishStepUp(runtime, actor, credential)) };
  });
}

function deviceRoutes({ anySession, signedIn, fresh, freshOrRecovering }: Endpoints, runtime: Runtime): void {
  anySession('get', '/passkey/devices', 'read', async (ctx, actor) => {
    ctx.body = { devices: await listPasskeys(runtime, actor) };
  });

  freshOrRecovering('post', '/passkey/devices/add', 'ceremony', async (ctx, actor) => {
    const { credential, label } = await readBody(ctx, addPasskey);
    if (!credential) {
      ctx.body = { options: await startAddPasskey(runtime, bound(ctx, runtime, actor)) };
      return;
    }
    const { passkey, opened } = await finishAddPasskey(runtime, actor, { credential, label });
    if (opened) signIn(ctx, runtime, opened);
    ctx.status = 201;
    ctx.body = { device: passkey };
  });

  signedIn('patch', '/passkey/devices/:id', 'write', async (ctx, actor) => {
    const { label } = await readBody(ctx, renaming);
    ctx.body = { device: await renamePasskey(runtime, actor, idOf(ctx), label) };
  });

  fresh('delete', '/passkey/devices/:id', 'write', async (ctx, actor) => {
    await readBody(ctx, nothing);
    await removePasskey(runtime, actor, idOf(ctx));
    ctx.status = 204;
  });
}

const idOf = (ctx: Context): string => `${ctx.params.id}`;
