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
import { limitGuessesFor, type Serve, signIn } from './serve.ts';

const count = v.pipe(v.number(), v.integer());

export const recoveryCodesResource = v.object({
  codes: v.pipe(v.array(v.string()), v.description('The recovery codes. Shown only once.')),
  total: v.pipe(count, v.description('The number of codes.')),
  expiresAt: v.pipe(v.nullable(time), v.description('Null: the codes do not expire.')),
}) satisfies v.GenericSchema<RecoveryCodes>;

export const recoveryLinkResource = v.object({
  token: v.pipe(v.string(), v.description('The secret in the link. Shown only once.')),
  url: v.pipe(
    v.string(),
    v.description('The link: the URL of the recovery page, with the token in the fragment.'),
  ),
  usableAt: v.pipe(time, v.description('The link cannot be used before this time.')),
  expiresAt: time,
}) satisfies v.GenericSchema<RecoveryLink>;

export const pendingRecoveryLinkResource = v.object({
  createdBy: v.pipe(
    v.nullable(namedUserResource),
    v.description('The user who created the link. Null: an operator.'),
  ),
  createdAt: time,
  usableAt: v.pipe(time, v.description('The link cannot be used before this time.')),
  expiresAt: time,
  usedAt: v.pipe(
    v.nullable(time),
    v.description('When the link opened a recovery session. Null: the link is unused.'),
  ),
}) satisfies v.GenericSchema<PendingRecoveryLink>;

const codesStatus = v.object({
  total: v.pipe(count, v.description('The number of used and unused codes.')),
  remaining: v.pipe(count, v.description('The number of codes that can still be used.')),
  generatedAt: v.pipe(
    v.nullable(time),
    v.description('When the codes were created. Null: the account has no codes.'),
  ),
  expiresAt: v.pipe(
    v.nullable(time),
    v.description('Null: the codes do not expire, or the account has no codes.'),
  ),
}) satisfies v.GenericSchema<RecoveryCodesStatus>;

const recovering = v.object({ user: userResource, session: sessionResource });

export const recoveryEndpoints = endpoints({
  useRecoveryCode: {
    on: 'POST /recovery/codes/use',
    access: 'none',
    returnsToken: true,
    budget: 'recovery',
    summary: 'Start a recovery with a recovery code',
    description:
      'Opens a recovery session. Ignores case, spaces and hyphens in the code. Every failure returns the same error, with one exception: if the code is usable and the account is disabled, the code of the error is `account_disabled`. Only failures count against the rate limit of the username, so strangers cannot block a correct code.',
    body: exactly({ username: text, code: text }),
    answers: { 200: recovering },
    errors: ['authentication_failed', 'account_disabled'],
  },
  getRecoveryCodesStatus: {
    on: 'GET /recovery/codes',
    access: 'full_session',
    budget: 'read',
    summary: 'Get the status of your recovery codes',
    answers: { 200: codesStatus },
  },
  generateRecoveryCodes: {
    on: 'POST /recovery/codes/generate',
    access: 'fresh',
    event: 'recovery_code.generate',
    budget: 'recovery',
    summary: 'Create new recovery codes',
    description: 'The new codes replace all earlier codes. A completed recovery also creates new codes.',
    answers: { 201: recoveryCodesResource },
  },
  revokeRecoveryCodes: {
    on: 'DELETE /recovery/codes/revoke',
    access: 'fresh',
    event: 'recovery_code.revoke',
    budget: 'recovery',
    summary: 'Revoke all recovery codes',
    description: 'Does nothing if the account has no codes.',
    answers: { 204: null },
  },
  useRecoveryLink: {
    on: 'POST /recovery/assisted/use',
    access: 'none',
    returnsToken: true,
    budget: 'recovery',
    summary: 'Start a recovery with the token of a recovery link',
    description:
      'Opens a recovery session. The link is single-use. If the error is `recovery_link_waiting`, the link cannot be used yet, and `Retry-After` contains the seconds to wait. Every other failure returns the same error.',
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
      'Also ends the recovery session that the link opened. `GET /session` shows whether the account has a link.',
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
    const guesses = limitGuessesFor(ctx, runtime, 'recovery', input.username);
    const { user, ...opened } = await recoverWithCode(runtime, caller, input, guesses);
    ctx.body = { user, session: signIn(ctx, runtime, user, opened) };
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
    ctx.body = { user, session: signIn(ctx, runtime, user, opened) };
  });

  serve(recoveryEndpoints.cancelRecoveryLink, async (ctx, actor, { body }) => {
    await body();
    await cancelOwnRecoveryLink(runtime, actor);
    ctx.status = 204;
  });
}
