import type { Context } from 'koa';
import type { InferOutput } from 'valibot';
import * as v from 'valibot';
import type { SignedInActor } from '../core/actor.ts';
import { bounds } from '../core/bounds.ts';
import { AuthError } from '../core/errors.ts';
import type { Runtime } from '../core/runtime.ts';
import { rememberBrowser } from '../http/device-cookie.ts';
import { exactly, shortText, text } from '../http/input.ts';
import { finishAddPasskey, startAddPasskey } from '../passkeys/operations/add.ts';
import { completeRecovery } from '../passkeys/operations/complete-recovery.ts';
import { listPasskeys, removePasskey, renamePasskey } from '../passkeys/operations/manage.ts';
import { type PasskeySignals, readSignals } from '../passkeys/operations/signals.ts';
import type { RegistrationFinish } from '../passkeys/operations/verify-registration-ceremony.ts';
import { endpoints } from './endpoint.ts';
import {
  creationOptions,
  newPasskeyResource,
  passkeyResource,
  registrationResponse,
} from './passkey-schemas.ts';
import { recoveryCodesResource } from './recovery.ts';
import { bound, idOf, type Serve, signIn } from './serve.ts';

const device = v.object({ device: passkeyResource });
const addedDevice = v.object({
  device: newPasskeyResource,
  recoveryCodes: v.pipe(
    v.nullable(recoveryCodesResource),
    v.description('The new recovery codes, if the passkey completed a recovery. Otherwise null.'),
  ),
});
const signals = v.object({
  rpId: v.string(),
  userId: v.pipe(
    v.string(),
    v.description('The user handle of the account (`user.id` in WebAuthn), base64url.'),
  ),
  name: v.string(),
  displayName: v.string(),
  allAcceptedCredentialIds: v.array(v.string()),
}) satisfies v.GenericSchema<PasskeySignals>;

/**
 * The body of the two requests that add a passkey. A request without `credential` starts the ceremony. A request with
 * `credential` finishes the ceremony.
 */
const addition = v.pipe(
  exactly({
    credential: v.optional(registrationResponse),
    label: v.optional(shortText),
    conditional: v.optional(v.literal(true, 'expected true')),
    keepPasskeys: v.optional(
      v.pipe(
        v.array(text, 'expected a list of passkey ids'),
        // The recovery adds one more passkey.
        v.maxLength(bounds.passkeys - 1, `expected at most ${bounds.passkeys - 1} passkey ids`),
      ),
    ),
    keepPassword: v.optional(v.boolean('expected true or false')),
  }),
  v.forward(
    v.check(
      ({ credential, conditional }) => !(credential && conditional),
      'not allowed together with credential',
    ),
    ['conditional'],
  ),
);

export const passkeyEndpoints = endpoints({
  listPasskeys: {
    on: 'GET /passkey/devices',
    access: 'any_session',
    budget: 'read',
    summary: 'List your passkeys',
    description: 'Oldest first.',
    answers: { 200: v.object({ devices: v.array(passkeyResource) }) },
  },
  getPasskeySignals: {
    on: 'GET /passkey/signals',
    access: 'full_session',
    budget: 'read',
    summary: 'Get the arguments of the WebAuthn signal methods',
    description:
      'With `PublicKeyCredential.signalAllAcceptedCredentials()` and `signalCurrentUserDetails()`, a page tells the browser which passkeys and names are current (WebAuthn Level 3, 5.1.10).',
    answers: { 200: signals },
  },
  addPasskey: {
    on: 'POST /passkey/devices/add',
    access: 'fresh_or_recovering',
    event: 'passkey.add',
    returnsToken: true,
    budget: 'ceremony',
    summary: 'Add a passkey',
    description:
      'A request without `credential` starts the ceremony and returns 200. A request with `credential` finishes the ceremony and returns 201. `conditional` starts a ceremony without a prompt (conditional mediation). `conditional` requires a full session whose last authentication was with a password. In a full session, the new passkey cancels unfinished recoveries of the account. If the new passkey is the first one and was added with a prompt, it also authenticates the session, and the session gets a new token. In a recovery session, the new passkey completes the recovery. The service then removes every other passkey that is not in `keepPasskeys`, and removes the password unless `keepPassword` is true. It replaces all recovery codes with `recoveryCodes`, which are shown only once. It ends all sessions and opens a full session for the caller.',
    body: addition,
    answers: { 200: creationOptions, 201: addedDevice },
    errors: [
      'authentication_failed',
      'recovery_session',
      'forbidden',
      'registration_failed',
      'passkey_already_registered',
      'too_many_passkeys',
      'authenticator_not_allowed',
    ],
  },
  renamePasskey: {
    on: 'PATCH /passkey/devices/:id',
    access: 'full_session',
    event: 'passkey.rename',
    target: 'passkey',
    budget: 'write',
    summary: 'Rename a passkey',
    body: exactly({ label: shortText }),
    answers: { 200: device },
    errors: ['not_found'],
  },
  removePasskey: {
    on: 'DELETE /passkey/devices/:id',
    access: 'fresh',
    event: 'passkey.remove',
    target: 'passkey',
    budget: 'write',
    summary: 'Remove a passkey',
    description: 'Ends all other sessions and cancels unfinished recoveries of the account.',
    answers: { 204: null },
    errors: ['not_found', 'last_credential'],
  },
});

export function passkeyRoutes(serve: Serve, runtime: Runtime): void {
  serve(passkeyEndpoints.listPasskeys, async (ctx, actor) => {
    ctx.body = { devices: await listPasskeys(runtime, actor) };
  });

  serve(passkeyEndpoints.getPasskeySignals, async (ctx, actor) => {
    ctx.body = await readSignals(runtime, actor);
  });

  serve(passkeyEndpoints.addPasskey, async (ctx, actor, { body }) => {
    const input = await body();
    const isRecovery = actor.session.kind === 'recovery';
    if (!isRecovery && (input.keepPasskeys ?? input.keepPassword) !== undefined)
      throw keptOutsideOfRecovery();
    if (!input.credential) return startAddition(ctx, runtime, actor, input);
    const finish = { credential: input.credential, label: input.label };
    return isRecovery
      ? finishRecovery(ctx, runtime, actor, finish, input)
      : finishAddition(ctx, runtime, actor, finish);
  });

  serve(passkeyEndpoints.renamePasskey, async (ctx, actor, { body }) => {
    const { label } = await body();
    ctx.body = { device: await renamePasskey(runtime, actor, idOf(ctx), label) };
  });

  serve(passkeyEndpoints.removePasskey, async (ctx, actor, { body }) => {
    await body();
    const epoch = await removePasskey(runtime, actor, idOf(ctx));
    rememberBrowser(ctx, runtime, actor.user.id, epoch);
    ctx.status = 204;
  });
}

type Addition = InferOutput<typeof addition>;

async function startAddition(
  ctx: Context,
  runtime: Runtime,
  actor: SignedInActor,
  { conditional, keepPasskeys }: Addition,
): Promise<void> {
  const start = { conditional, keepPasskeys };
  ctx.body = { options: await startAddPasskey(runtime, bound(ctx, runtime, actor), start) };
}

async function finishAddition(
  ctx: Context,
  runtime: Runtime,
  actor: SignedInActor,
  finish: RegistrationFinish,
): Promise<void> {
  const { passkey, opened } = await finishAddPasskey(runtime, actor, finish);
  if (opened) signIn(ctx, runtime, actor.user, opened);
  ctx.status = 201;
  ctx.body = { device: passkey, recoveryCodes: null };
}

async function finishRecovery(
  ctx: Context,
  runtime: Runtime,
  actor: SignedInActor,
  finish: RegistrationFinish,
  { keepPasskeys = [], keepPassword = false }: Addition,
): Promise<void> {
  const kept = { keepPasskeys, keepPassword };
  const { passkey, opened, recoveryCodes } = await completeRecovery(runtime, actor, finish, kept);
  signIn(ctx, runtime, actor.user, opened);
  ctx.status = 201;
  ctx.body = { device: passkey, recoveryCodes };
}

const keptOutsideOfRecovery = () =>
  new AuthError('invalid_request', {
    message:
      'keepPasskeys and keepPassword are only allowed in a recovery session. Omit them in a full session.',
  });
