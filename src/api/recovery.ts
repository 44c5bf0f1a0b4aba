import * as v from 'valibot';
import type { Runtime } from '../core/runtime.ts';
import { exactly, text } from '../http/input.ts';
import { time } from '../http/resource.ts';
import { cancelOwnRecoveryLink } from '../recovery/operations/cancel-link.ts';
import { generateCodes, readCodesStatus, revokeCodes } from '../recovery/operations/codes.ts';
import { recoverWithCode } from '../recovery/operations/use-code.ts';
import { recoverWithLink } from '../recovery/operations/use-link.ts';
import type {
  PendingRecoveryLink,
  RecoveryCodes,
  RecoveryCodesStatus,
  RecoveryLink,
} from '../recovery/recovery.ts';
import { endpoints } from './endpoint.ts';
import { namedUserResource, sessionResource, userResource } from './resources.ts';
import { countUsername, type Serve, signIn } from './serve.ts';

const count = v.pipe(v.number(), v.integer());

export const recoveryCodesResource = v.object({
  codes: v.pipe(v.array(v.string()), v.description('Shown once.')),
  total: count,
  expiresAt: v.pipe(v.nullable(time), v.description('Null: they do not expire.')),
}) satisfies v.GenericSchema<RecoveryCodes>;

export const recoveryLinkResource = v.object({
  token: v.pipe(v.string(), v.description('Shown once.')),
  url: v.pipe(
    v.string(),
    v.description('The page that recovers the account, with the token in the fragment.'),
  ),
  usableAt: v.pipe(time, v.description('The link does not work before this time.')),
  expiresAt: time,
}) satisfies v.GenericSchema<RecoveryLink>;

export const pendingRecoveryLinkResource = v.object({
  createdBy: v.pipe(v.nullable(namedUserResource), v.description('Null: an operator.')),
  createdAt: time,
  usableAt: time,
  expiresAt: time,
  usedAt: v.pipe(
    v.nullable(time),
    v.description('When the link was used: its recovery is under way. Null: it was not used.'),
  ),
}) satisfies v.GenericSchema<PendingRecoveryLink>;

const codesStatus = v.object({
  total: count,
  remaining: count,
  generatedAt: v.nullable(time),
  expiresAt: v.nullable(time),
}) satisfies v.GenericSchema<RecoveryCodesStatus>;

const recovering = v.object({ user: userResource, session: sessionResource });

export const recoveryEndpoints = endpoints({
  useRecoveryCode: {
    on: 'POST /recovery/codes/use',
    access: 'none',
    budget: 'recovery',
    summary: 'Start a recovery with a recovery code',
    description:
      'Opens a session of kind `recovery`. Case, spaces and hyphens of the code do not matter. Every failure has the same answer.',
    body: exactly({ username: text, code: text }),
    answers: { 200: recovering },
    errors: ['authentication_failed'],
  },
  getRecoveryCodesStatus: {
    on: 'GET /recovery/codes',
    access: 'full_session',
    budget: 'read',
    summary: 'Get the number of recovery codes left',
    answers: { 200: codesStatus },
  },
  generateRecoveryCodes: {
    on: 'POST /recovery/codes/generate',
    access: 'fresh',
    event: 'recovery_code.generate',
    budget: 'recovery',
    summary: 'Generate recovery codes',
    description: 'The new codes replace all earlier ones. Completing a recovery generates new codes as well.',
    answers: { 201: recoveryCodesResource },
  },
  revokeRecoveryCodes: {
    on: 'DELETE /recovery/codes/revoke',
    access: 'fresh',
    event: 'recovery_code.revoke',
    budget: 'recovery',
    summary: 'Revoke all recovery codes',
    answers: { 204: null },
  },
  useRecoveryLink: {
    on: 'POST /recovery/assisted/use',
    access: 'none',
    budget: 'recovery',
    summary: 'Start a recovery with the token of a recovery link',
    description:
      'Opens a session of kind `recovery`. The token can be used once. If the link cannot be used yet, `Retry-After` says when.',
    body: exactly({ token: text }),
    answers: { 200: recovering },
    errors: ['authentication_failed', 'recovery_link_waiting'],
  },
  cancelRecoveryLink: {
    on: 'DELETE /recovery/assisted',
    access: 'fresh',
    event: 'recovery_link.cancel',
    budget: 'recovery',
    summary: 'Cancel the recovery link of your own account',
    description:
      'The link is void, and any recovery that it opened ends. `GET /session` shows whether there is a link.',
    answers: { 204: null },
    errors: ['not_found'],
  },
});

export function recoveryRoutes(serve: Serve, runtime: Runtime): void {
  codeRoutes(serve, runtime);
  linkRoutes(serve, runtime);
}

function codeRoutes(serve: Serve, runtime: Runtime): void {
  serve(recoveryEndpoints.useRecoveryCode, async (ctx, caller, { body }) => {
    const input = await body();
    await countUsername(ctx, runtime, 'recovery', input.username);
    const { user, ...opened } = await recoverWithCode(runtime, caller, input);
    ctx.body = { user, session: signIn(ctx, runtime, opened) };
  });

  serve(recoveryEndpoints.getRecoveryCodesStatus, async (ctx, actor) => {
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
    await cancelOwnRecoveryLink(runtime, actor);
    ctx.status = 204;
  });
}
