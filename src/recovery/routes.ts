import type { Runtime } from '../core/runtime.ts';
import { type Endpoints, signIn } from '../http/endpoints.ts';
import { nothing } from '../http/input.ts';
import { countName } from '../http/rate-limit.ts';
import { readBody } from '../http/read-body.ts';
import { codeUse, linkUse } from './input.ts';
import { generateCodes, readCodesStatus, revokeCodes } from './operations/codes.ts';
import { recoverWithCode } from './operations/use-code.ts';
import { recoverWithLink } from './operations/use-link.ts';

export function recoveryRoutes(endpoints: Endpoints, runtime: Runtime): void {
  codeRoutes(endpoints, runtime);
  linkRoutes(endpoints, runtime);
}

function codeRoutes({ open, signedIn, fresh, freshOrRecovering }: Endpoints, runtime: Runtime): void {
  open('post', '/recovery/codes/use', 'recovery', async (ctx, caller) => {
    const input = await readBody(ctx, codeUse);
    await countName(ctx, runtime, 'recovery', input.username);
    const { user, ...opened } = await recoverWithCode(runtime, caller, input);
    ctx.body = { user, session: signIn(ctx, runtime, opened) };
  });

  signedIn('get', '/recovery/codes', 'read', async (ctx, actor) => {
    ctx.body = await readCodesStatus(runtime, actor);
  });

  freshOrRecovering('post', '/recovery/codes/generate', 'recovery', async (ctx, actor) => {
    await readBody(ctx, nothing);
    ctx.status = 201;
    ctx.body = await generateCodes(runtime, actor);
  });

  fresh('delete', '/recovery/codes/revoke', 'recovery', async (ctx, actor) => {
    await readBody(ctx, nothing);
    await revokeCodes(runtime, actor);
    ctx.status = 204;
  });
}

function linkRoutes({ open }: Endpoints, runtime: Runtime): void {
  open('post', '/recovery/assisted/use', 'recovery', async (ctx, caller) => {
    const { token } = await readBody(ctx, linkUse);
    const { user, ...opened } = await recoverWithLink(runtime, caller, token);
    ctx.body = { user, session: signIn(ctx, runtime, opened) };
  });
}
