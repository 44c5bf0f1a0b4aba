import type { Runtime } from '../core/runtime.ts';
import { type Serve, signIn } from '../http/endpoints.ts';
import { countName } from '../http/rate-limit.ts';
import { recoveryEndpoints } from './endpoints.ts';
import { cancelRecoveryLink } from './operations/cancel-link.ts';
import { generateCodes, readCodesStatus, revokeCodes } from './operations/codes.ts';
import { recoverWithCode } from './operations/use-code.ts';
import { recoverWithLink } from './operations/use-link.ts';

export function recoveryRoutes(serve: Serve, runtime: Runtime): void {
  codeRoutes(serve, runtime);
  linkRoutes(serve, runtime);
}

function codeRoutes(serve: Serve, runtime: Runtime): void {
  serve(recoveryEndpoints.useRecoveryCode, async (ctx, caller, { body }) => {
    const input = await body();
    await countName(ctx, runtime, 'recovery', input.username);
    const { user, ...opened } = await recoverWithCode(runtime, caller, input);
    ctx.body = { user, session: signIn(ctx, runtime, opened) };
  });

  serve(recoveryEndpoints.readRecoveryCodes, async (ctx, actor) => {
    ctx.body = await readCodesStatus(runtime, actor);
  });

  serve(recoveryEndpoints.generateRecoveryCodes, async (ctx, actor, { body }) => {
    await body();
    ctx.status = 201;
    ctx.body = await generateCodes(runtime, actor);
  });

  serve(recoveryEndpoints.revokeRecoveryCodes, async (ctx, actor, { body }) => {
    await body();
    await revokeCodes(runtime, actor);
    ctx.status = 204;
  });
}

function linkRoutes(serve: Serve, runtime: Runtime): void {
  serve(recoveryEndpoints.useRecoveryLink, async (ctx, caller, { body }) => {
    const { token } = await body();
    const { user, ...opened } = await recoverWithLink(runtime, caller, token);
    ctx.body = { user, session: signIn(ctx, runtime, opened) };
  });

  serve(recoveryEndpoints.cancelRecoveryLink, async (ctx, actor, { body }) => {
    await body();
    await cancelRecoveryLink(runtime, actor, actor.user);
    ctx.status = 204;
  });
}
