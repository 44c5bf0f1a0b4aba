import type { Context } from 'koa';
import { AuthError } from '../core/errors.ts';
import type { Runtime } from '../core/runtime.ts';
import { bound, type Serve, signIn } from '../http/endpoints.ts';
import { countName } from '../http/rate-limit.ts';
import { ceremonyEndpoints, deviceEndpoints } from './endpoints.ts';
import { finishAddPasskey, startAddPasskey } from './operations/add.ts';
import { completeRecovery } from './operations/complete-recovery.ts';
import { listPasskeys, removePasskey, renamePasskey } from './operations/devices.ts';
import { finishLogin, startLogin } from './operations/login.ts';
import { finishSignUp, startSignUp } from './operations/sign-up.ts';
import { readSignals } from './operations/signals.ts';
import { finishStepUp, startStepUp } from './operations/step-up.ts';
import { simpleWebAuthn } from './simplewebauthn.ts';

export function passkeyRoutes(serve: Serve, runtime: Runtime): void {
  // Where there are ceremonies to come, the first is not to wait for it.
  simpleWebAuthn().catch(() => {});
  ceremonyRoutes(serve, runtime);
  deviceRoutes(serve, runtime);
}

function ceremonyRoutes(serve: Serve, runtime: Runtime): void {
  serve(ceremonyEndpoints.startSignUp, async (ctx, caller, { body }) => {
    const input = await body();
    await countName(ctx, runtime, 'ceremony', input.username);
    ctx.body = { options: await startSignUp(runtime, bound(ctx, runtime, caller), input) };
  });

  serve(ceremonyEndpoints.finishSignUp, async (ctx, caller, { body }) => {
    const input = await body();
    const { user, passkey, ...opened } = await finishSignUp(runtime, caller, input);
    ctx.status = 201;
    ctx.body = { user, passkey, session: signIn(ctx, runtime, opened) };
  });

  serve(ceremonyEndpoints.startLogin, async (ctx, caller, { body }) => {
    const { username } = await body();
    // A login without a name is counted for its address alone: whoever exhausts a name's budget leaves this way in.
    if (username !== undefined) await countName(ctx, runtime, 'ceremony', username);
    ctx.body = { options: await startLogin(runtime, bound(ctx, runtime, caller), username) };
  });

  serve(ceremonyEndpoints.finishLogin, async (ctx, caller, { body }) => {
    const { credential } = await body();
    const { user, ...opened } = await finishLogin(runtime, caller, credential);
    ctx.body = { user, session: signIn(ctx, runtime, opened) };
  });

  serve(ceremonyEndpoints.startStepUp, async (ctx, actor, { body }) => {
    await body();
    ctx.body = { options: await startStepUp(runtime, bound(ctx, runtime, actor)) };
  });

  serve(ceremonyEndpoints.finishStepUp, async (ctx, actor, { body }) => {
    const { credential } = await body();
    ctx.body = { session: signIn(ctx, runtime, await finishStepUp(runtime, actor, credential)) };
  });
}

function deviceRoutes(serve: Serve, runtime: Runtime): void {
  serve(deviceEndpoints.listPasskeys, async (ctx, actor) => {
    ctx.body = { devices: await listPasskeys(runtime, actor) };
  });

  serve(deviceEndpoints.readSignals, async (ctx, actor) => {
    ctx.body = await readSignals(runtime, actor);
  });

  serve(deviceEndpoints.addPasskey, async (ctx, actor, { body }) => {
    const { credential, label, conditional, keepPasskeys, keepPassword } = await body();
    const recovers = actor.session.kind === 'recovery';
    if (!recovers && (keepPasskeys ?? keepPassword) !== undefined) throw keptOutsideOfRecovery();
    if (!credential) {
      const start = { conditional, keepPasskeys };
      ctx.body = { options: await startAddPasskey(runtime, bound(ctx, runtime, actor), start) };
      return;
    }
    const finish = { credential, label };
    ctx.status = 201;
    if (!recovers) {
      ctx.body = { device: await finishAddPasskey(runtime, actor, finish), recoveryCodes: null };
      return;
    }
    const kept = { keepPasskeys: keepPasskeys ?? [], keepPassword: keepPassword ?? false };
    const { passkey, opened, recoveryCodes } = await completeRecovery(runtime, actor, finish, kept);
    signIn(ctx, runtime, opened);
    ctx.body = { device: passkey, recoveryCodes };
  });

  serve(deviceEndpoints.renamePasskey, async (ctx, actor, { body }) => {
    const { label } = await body();
    ctx.body = { device: await renamePasskey(runtime, actor, idOf(ctx), label) };
  });

  serve(deviceEndpoints.removePasskey, async (ctx, actor, { body }) => {
    await body();
    await removePasskey(runtime, actor, idOf(ctx));
    ctx.status = 204;
  });
}

const keptOutsideOfRecovery = () =>
  new AuthError('invalid_request', {
    message:
      'keepPasskeys and keepPassword: only allowed in a recovery session. Omit them in a full session.',
  });

const idOf = (ctx: Context): string => `${ctx.params.id}`;
